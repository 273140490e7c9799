// Puts the right socket at the path and removes all names of ours. It remembers nothing: each turn looks at what is there, so it mends what any other left half done.
import {basename} from 'node:path'
import {UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import type {FileId, Journal} from '../../node/takeover/journal.ts'
import {sameFile} from '../../node/takeover/same-file.ts'
import type {GivenBack} from './give-back.ts'
import {Ages, type Named, newestOf, whose} from './newest.ts'
import type {SideFolder} from './side-folder.ts'
import {type SideNames, sideNames} from './side-names.ts'
import {ifThere, livesOrWill} from './take-away.ts'

/** A server would have to restart as often in as few milliseconds. */
const mostTurns = 100

/** Under the lock. @throws UserError when the original has no name any more, or the system's error */
export async function settle(journal: Journal, folder: SideFolder): Promise<GivenBack> {
  const work = new Settling(journal, folder)
  for (let turn = 1; turn <= mostTurns; turn++) {
    const outcome = await work.turn(turn)
    if (outcome !== undefined) return outcome
  }
  throw dirty(journal, `its server must be left alone for a moment: it has restarted ${mostTurns} times`, 'kubelimbo restore')
}

class Settling {
  readonly #journal: Journal
  readonly #folder: SideFolder
  readonly #path: string
  readonly #names: SideNames
  readonly #ages = new Ages()
  #moved = false
  #lostBefore = false

  constructor(journal: Journal, folder: SideFolder) {
    this.#journal = journal
    this.#folder = folder
    this.#path = basename(journal.socket)
    this.#names = sideNames(journal)
  }

  /** Undefined: look again. */
  async turn(turn: number): Promise<GivenBack | undefined> {
    const at = await this.#look(this.#path)
    const {scrap, side, held, fresh} = this.#names
    const beside: Named[] = []
    for (const name of [scrap, side, held, fresh]) beside.push(...(await this.#look(name)))
    const all = [...at, ...beside]
    const [there] = at
    // Two looks are no look at once: a swap in between would hide what was swapped.
    if (!sameOrNone(await this.#folder.look(this.#path), there?.file)) return undefined
    for (const {file} of all) this.#ages.see(file, turn)
    if (there === undefined) return this.#fillEmpty(beside)
    const best = await newestOf(all, this.#ages, this.#journal, (name) => livesOrWill(this.#folder, name))
    const owner = whose(there.file, this.#journal)
    if (best !== undefined && best !== there) {
      // One dead socket for another: while the kernel is at that swap its server may bind, and clients would meet the dead one in its place.
      if (owner === 'ours' && whose(best.file, this.#journal) === 'original' && !(await this.#folder.lives(best.name)))
        return (await this.#clean(beside, there.file)) ? {outcome: 'server gone'} : undefined
      return this.#putAtPath(best, there, beside)
    }
    if (owner === 'ours') return this.#withoutOriginal(there, beside)
    return owner === 'foreign' ? this.#leaveAlone(there, beside) : this.#isBack(there, beside)
  }

  async #look(name: string): Promise<readonly Named[]> {
    const file = await this.#folder.look(name)
    return file === undefined ? [] : [{name, file}]
  }

  async #putAtPath(best: Named, there: Named, beside: readonly Named[]): Promise<undefined> {
    let {name} = best
    if (!this.#folder.atomic) {
      // The steps of a swap need the name for themselves.
      const others = beside.filter((each) => each.name !== name)
      if (!(await this.#drop(others, there.file))) return
      if (name === this.#names.held) {
        await this.#folder.rename(name, this.#names.side)
        name = this.#names.side
      }
    }
    // ENOENT: a server is between its unlink and its bind, and finds the path free. ECANCELED: it has bound meanwhile, and its clients must not meet a dead one instead.
    if (await ifThere(this.#folder.exchange(name, this.#path, there.file), 'ENOENT', 'ECANCELED')) this.#moved = true
  }

  /** Only what is alive is put at an empty path: the server may be about to bind. */
  async #fillEmpty(beside: readonly Named[]): Promise<GivenBack | undefined> {
    const left = beside.filter(({file}) => whose(file, this.#journal) !== 'ours')
    while (left.length > 0) {
      const best = await newestOf(left, this.#ages, this.#journal, (name) => livesOrWill(this.#folder, name))
      if (best === undefined) break
      // A server that ends unlinks its path first and closes its socket then; one that has just bound does not listen yet.
      await this.#folder.pause()
      if (await this.#folder.lives(best.name)) {
        if (await ifThere(this.#folder.link(best.name, this.#path), 'EEXIST', 'ENOENT')) this.#moved = true
        return undefined
      }
      left.splice(left.indexOf(best), 1)
    }
    return (await this.#clean(beside, undefined)) ? {outcome: 'server gone'} : undefined
  }

  async #leaveAlone(there: Named, beside: readonly Named[]): Promise<GivenBack | undefined> {
    const alive = await this.#folder.lives(this.#path)
    const original = beside.find(({file}) => whose(file, this.#journal) === 'original')
    // Somebody bound over a server that goes on, and is gone again: it would not have its path back without us either, but here it can.
    if (!alive && original !== undefined && (await this.#folder.lives(original.name)) && !(await livesOrWill(this.#folder, this.#path))) {
      this.#ages.writeOff(there.file)
      return undefined
    }
    return (await this.#clean(beside, there.file)) ? {outcome: 'left alone', alive} : undefined
  }

  async #isBack(there: Named, beside: readonly Named[]): Promise<GivenBack | undefined> {
    for (const {name, file} of beside.filter((each) => this.#ages.isWrittenOff(each.file))) {
      if (!(await this.#folder.lives(name))) continue
      this.#ages.revive(file)
      return undefined
    }
    if (!(await this.#clean(beside, there.file))) return undefined
    return {outcome: this.#moved ? 'given back' : 'was back'}
  }

  async #withoutOriginal(there: Named, beside: readonly Named[]): Promise<GivenBack | undefined> {
    // A swap of somebody who was killed may have happened between two looks.
    if (!this.#lostBefore) {
      this.#lostBefore = true
      return
    }
    if (!(await this.#clean(beside, there.file))) return
    // With our proxy behind it, its clients go on.
    if (!(await this.#folder.lives(this.#path))) return {outcome: 'server gone'}
    throw dirty(
      this.#journal,
      `its own socket must still have a name beside it: somebody has removed ${this.#names.side}`,
      'restart the server: it makes a new one',
    )
  }

  /** False when something else was there, or at the path, than had been seen. */
  async #clean(beside: readonly Named[], there: FileId | undefined): Promise<boolean> {
    if (!(await this.#drop(beside, there))) return false
    for (const name of [this.#names.bound, ...this.#names.trial]) await this.#folder.remove(name)
    return true
  }

  async #drop(beside: readonly Named[], there: FileId | undefined): Promise<boolean> {
    const {scrap} = this.#names
    for (const {name, file} of beside) {
      // First it gets a name that no swap under way can reach: that of a killed proxy may still come.
      if (name !== scrap && !(await ifThere(this.#folder.rename(name, scrap), 'ENOENT'))) continue
      if (name !== scrap && !sameFile(await this.#folder.look(scrap), file)) return false
      if (whose(file, this.#journal) !== 'ours' && !sameOrNone(await this.#folder.look(this.#path), there)) return false
      await this.#folder.remove(scrap)
    }
    return true
  }
}

const sameOrNone = (one: FileId | undefined, other: FileId | undefined): boolean =>
  one === undefined ? other === undefined : sameFile(one, other)

const dirty = (journal: Journal, why: string, hint: string): UserError =>
  new UserError(`Cannot give ${journal.socket} back as ${why}`, {hint, exit: exitCodes.dirty})
