// The place of a server's socket while it is ours. Whatever changes the directory holds the lock: a watchdog may be giving it back.
import type {Server} from 'node:net'
import {basename, join} from 'node:path'
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import type {FileId, Journal} from '../../node/takeover/journal.ts'
import {sameFile} from '../../node/takeover/same-file.ts'
import type {Absence} from '../listen/dial.ts'
import type {ProxyAddress} from '../listen/proxy-address.ts'
import {type GivenBack, giveBack} from './give-back.ts'
import {whose} from './newest.ts'
import {settle} from './settle.ts'
import {type SideNames, sideNames} from './side-names.ts'
import {ifThere, takeAway} from './take-away.ts'
import type {TakenPlace, TakePlaceOptions} from './take-place.ts'

/** Of a rule that comes and goes all day: those before can lie nowhere any more. */
const mostOurs = 8

export class TakenSocket implements TakenPlace {
  readonly #options: TakePlaceOptions
  readonly #path: string
  readonly #names: SideNames
  #journal: Journal
  #server: Server | undefined
  /** A fault took our name away. */
  #away = false
  #over = false

  constructor(options: TakePlaceOptions) {
    this.#options = options
    this.#journal = options.journal
    this.#path = basename(options.journal.socket)
    this.#names = sideNames(options.journal)
  }

  get address(): ProxyAddress {
    return {kind: 'unix', path: this.#journal.socket}
  }

  get upstream(): string {
    return this.#options.folder.addressOf(this.#names.side)
  }

  get journal(): Journal {
    return this.#journal
  }

  async take(): Promise<void> {
    const {folder} = this.#options
    await using _ = await folder.lock()
    await this.#removeLeftovers()
    const {side} = this.#names
    const taken = await this.#orSettle(async () => {
      await this.#bindAs(side)
      // Not every program that swaps can look at what it swaps.
      if (!sameFile(await folder.look(this.#path), this.#journal.original)) return false
      const swapped = await ifThere(folder.exchange(side, this.#path, this.#journal.original), 'ENOENT', 'ECANCELED')
      return swapped && sameFile(await folder.look(side), this.#journal.original)
    })
    if (taken) return
    await this.#standDown(true)
    throw this.#refusal('its server must keep it for a moment: the server restarted just now', 'try again')
  }

  async open(): Promise<void> {
    const {folder} = this.#options
    await using _ = await folder.lock()
    const {fresh} = this.#names
    const at = await this.#lookAtPath()
    if (at === undefined) return await this.#fill(false)
    const put = await this.#orSettle(async () => {
      await this.#bindAs(fresh)
      const swapped = await ifThere(folder.exchange(fresh, this.#path, at), 'ENOENT', 'ECANCELED')
      return swapped && this.#isOurFile(await folder.look(fresh))
    })
    if (put) return await folder.remove(fresh)
    await this.#standDown()
    throw this.#lost()
  }

  async close(as: Absence): Promise<void> {
    if (this.#over) return this.#closeServer()
    const {folder} = this.#options
    try {
      await using _ = await folder.lock()
      if (as === 'refuse') {
        if (this.#away) await this.#fill(true)
      } else if (this.#isOurFile(await folder.look(this.#path))) {
        this.#away = (await takeAway(folder, this.#path, this.#names.scrap, (file) => this.#isOurFile(file))) === 'taken'
      }
    } finally {
      this.#closeServer()
    }
  }

  async isOurs(): Promise<boolean> {
    const at = await this.#options.folder.look(this.#path)
    return at === undefined ? this.#away : this.#isOurFile(at)
  }

  async giveBack(): Promise<GivenBack> {
    const outcome = await giveBack(this.#journal, this.#options.folder)
    this.#over = true
    return outcome
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closeServer()
  }

  /** Where a fault had taken our name away. @throws UserError when the server may be about to bind */
  async #fill(dead: boolean): Promise<void> {
    const {folder} = this.#options
    const {fresh, side} = this.#names
    if (!(await folder.lives(side))) throw this.#lost()
    await this.#orSettle(() => this.#bindAs(fresh))
    if (dead) this.#closeServer()
    const put = await ifThere(folder.link(fresh, this.#path), 'EEXIST')
    await folder.remove(fresh)
    this.#away = false
    if (put) return
    this.#closeServer()
    throw this.#lost()
  }

  /** Undefined when our name is away. @throws UserError when the place is somebody else's */
  async #lookAtPath(): Promise<FileId | undefined> {
    const at = await this.#options.folder.look(this.#path)
    if (this.#over || (at === undefined ? !this.#away : !this.#isOurFile(at))) throw this.#lost()
    return at
  }

  /** A fresh socket of ours lies at `name` and is in the journal; nobody knows it yet. */
  async #bindAs(name: string): Promise<void> {
    const {folder, directory, serverFor, dress, write} = this.#options
    const {bound} = this.#names
    this.#closeServer()
    const server = serverFor()
    this.#server = server
    await folder.bind(bound, server)
    await dress(join(directory, bound))
    const file = await folder.look(bound)
    if (file === undefined) throw new Error(`${bound} is gone already`)
    const journal = {...this.#journal, ours: [...this.#journal.ours.slice(1 - mostOurs), file]}
    await write(journal)
    this.#journal = journal
    await folder.rename(bound, name)
  }

  /** A leftover of a takeover whose journal is lost, after a reboot for example. */
  async #removeLeftovers(): Promise<void> {
    const {folder} = this.#options
    const {side, held, fresh, scrap, bound} = this.#names
    for (const name of [side, held, fresh, scrap, bound]) {
      if ((await folder.look(name)) === undefined) continue
      if (await folder.lives(name))
        throw this.#refusal(`nobody must listen on ${name} beside it: somebody does`, `restart the server, and remove ${name} by hand`)
      await folder.remove(name)
    }
  }

  async #orSettle<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      await this.#standDown()
      if (error instanceof UserError) throw error
      throw this.#refusal(`a socket must be made beside it: ${firstLine(error)}`, 'make the directory writable, or choose another socket')
    }
  }

  /** @param served who found ours at the path meanwhile is served, and has to be accepted first: what waits in the queue of a listener that closes is cut off */
  async #standDown(served = false): Promise<void> {
    const {folder} = this.#options
    try {
      await settle(this.#journal, folder)
      this.#over = true
      if (served) await folder.pause()
    } finally {
      this.#closeServer()
    }
  }

  #closeServer(): void {
    this.#server?.close()
    this.#server = undefined
  }

  #isOurFile(file: FileId | undefined): boolean {
    return file !== undefined && whose(file, this.#journal) === 'ours'
  }

  #lost(): UserError {
    return this.#refusal('nobody else must have its path: its server has restarted', 'try again')
  }

  #refusal(why: string, hint: string): UserError {
    return new UserError(`Cannot take ${this.#journal.socket} over as ${why}`, {hint, exit: exitCodes.refused})
  }
}
