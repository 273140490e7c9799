// A directory in memory whose server restarts between any two steps of those who work in it, who may be killed at any step.
import {setImmediate} from 'node:timers/promises'
import type {FileId, Journal} from '../../src/node/takeover/journal.ts'
import type {SideFolder} from '../../src/proxy/takeover/side-folder.ts'

export interface MemorySocket {
  readonly id: FileId
  listening: boolean
  /** The actor, or 'server'. */
  readonly owner: string
}

interface Step {
  readonly actor: string
  readonly what: string
  readonly work: () => void
  readonly done: (error?: unknown) => void
}

const errno = (code: string) => Object.assign(new Error(code), {code})

export const killed = new Error('killed')

export class MemoryFolder {
  readonly names = new Map<string, MemorySocket>()
  readonly path = 'csi.sock'
  readonly atomic: boolean
  readonly trail: string[] = []
  /** Binds of the server that found its path taken, and by what. */
  readonly failedBinds: string[] = []
  journal!: Journal
  server: MemorySocket
  serverState: 'running' | 'leaving' | 'dead' | 'unlinked' | 'bound' = 'running'
  /** How the path came to its present socket. */
  #cause = 'server'
  #count = 0
  readonly #waiting: Step[] = []
  readonly #lockWaiters: {readonly actor: string; readonly done: (error?: unknown) => void}[] = []
  #lockHolder: string | undefined
  readonly #dead = new Set<string>()
  /** Swaps that a killed actor's child still does some time. */
  readonly #late: (() => void)[] = []

  constructor(atomic: boolean) {
    this.atomic = atomic
    this.server = this.#socket('server', true)
    this.names.set(this.path, this.server)
  }

  /** Births are coarse: a few sockets in a row may have the same. */
  #socket(owner: string, listening: boolean): MemorySocket {
    const count = ++this.#count
    return {id: {device: '1', inode: `${count}`, born: `${1 + (count >> 2)}`}, listening, owner}
  }

  /** One move of the server. */
  moveServer(roll: number): void {
    const {path} = this
    switch (this.serverState) {
      case 'running':
        if (roll % 2 === 0) {
          this.server.listening = false
          this.serverState = 'dead'
        } else {
          this.names.delete(path)
          this.serverState = 'leaving'
        }
        break
      case 'leaving':
        this.server.listening = false
        this.serverState = 'dead'
        break
      case 'dead':
        this.names.delete(path)
        this.serverState = 'unlinked'
        break
      case 'unlinked':
        if (this.names.has(path)) {
          this.failedBinds.push(this.#cause)
          this.serverState = 'dead'
        } else {
          this.server = this.#socket('server', false)
          this.names.set(path, this.server)
          this.#cause = 'server'
          this.serverState = 'bound'
        }
        break
      case 'bound':
        this.server.listening = true
        this.serverState = 'running'
        break
    }
    this.trail.push(`server ${this.serverState}`)
  }

  /** Another server binds over the one that goes on. */
  usurp(): MemorySocket {
    const socket = this.#socket('other', true)
    this.names.set(this.path, socket)
    return socket
  }

  get waiting(): readonly string[] {
    return this.#waiting.map(({actor}) => actor)
  }

  get late(): number {
    return this.#late.length
  }

  grant(index: number): void {
    const [step] = this.#waiting.splice(index, 1)
    if (step === undefined) return
    try {
      step.work()
      this.trail.push(`${step.actor} ${step.what}`)
      step.done()
    } catch (error) {
      this.trail.push(`${step.actor} ${step.what}: ${(error as Error).message}`)
      step.done(error)
    }
  }

  doLate(): void {
    this.trail.push('late swap')
    try {
      this.#late.shift()?.()
    } catch {}
  }

  kill(actor: string, late: boolean): void {
    this.trail.push(`${actor} is killed`)
    this.#dead.add(actor)
    for (const socket of this.names.values()) if (socket.owner === actor) socket.listening = false
    for (const step of this.#waiting.filter((each) => each.actor === actor)) {
      this.#waiting.splice(this.#waiting.indexOf(step), 1)
      if (late && step.what.startsWith('exchange')) this.#late.push(step.work)
      step.done(killed)
    }
    for (const waiter of this.#lockWaiters.filter((each) => each.actor === actor)) waiter.done(killed)
    this.#unlock(actor)
  }

  #unlock(actor: string): void {
    if (this.#lockHolder !== actor) return
    this.#lockHolder = undefined
    const next = this.#lockWaiters.find((each) => !this.#dead.has(each.actor))
    if (next === undefined) return
    this.#lockWaiters.splice(this.#lockWaiters.indexOf(next), 1)
    this.#lockHolder = next.actor
    next.done()
  }

  step<T>(actor: string, what: string, work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#dead.has(actor)) return reject(killed)
      let result: T
      this.#waiting.push({
        actor,
        what,
        work: () => {
          result = work()
        },
        done: (error) => (error === undefined ? resolve(result) : reject(error)),
      })
    })
  }

  #at(name: string): MemorySocket {
    const socket = this.names.get(name)
    if (socket === undefined) throw errno('ENOENT')
    return socket
  }

  #put(name: string, socket: MemorySocket, cause: string): void {
    this.names.set(name, socket)
    if (name === this.path) this.#cause = cause
  }

  #link(from: string, to: string): void {
    const socket = this.#at(from)
    if (this.names.has(to)) throw errno('EEXIST')
    this.#put(to, socket, 'link')
  }

  #rename(from: string, to: string): void {
    const socket = this.#at(from)
    // As rename(2) has it for two links of one file.
    if (this.names.get(to) === socket) return
    this.names.delete(from)
    this.#put(to, socket, 'rename')
  }

  #exchange(one: string, other: string): void {
    const [first, second] = [this.#at(one), this.#at(other)]
    this.#put(one, second, 'exchange')
    this.#put(other, first, 'exchange')
  }

  as(actor: string): SideFolder {
    const step = <T>(what: string, work: () => T) => this.step(actor, what, work)
    const link = (from: string, to: string) => step(`link ${from} ${to}`, () => this.#link(from, to))
    const rename = (from: string, to: string) => step(`rename ${from} ${to}`, () => this.#rename(from, to))
    return {
      atomic: this.atomic,
      look: (name) => step(`look ${name}`, () => this.names.get(name)?.id),
      link,
      rename,
      exchange: async (one, other) => {
        if (this.atomic) return step(`exchange ${one} ${other}`, () => this.#exchange(one, other))
        await link(other, this.journal.held)
        await rename(one, other)
        await rename(this.journal.held, one)
      },
      remove: (name) => step(`remove ${name}`, () => void this.names.delete(name)),
      lives: (name) => step(`lives ${name}`, () => this.names.get(name)?.listening === true),
      bind: (name, server) =>
        step(`bind ${name}`, () => {
          if (this.names.has(name)) throw errno('EADDRINUSE')
          const socket = this.#socket(actor, true)
          this.names.set(name, socket)
          server.once('close', () => {
            if (this.#dead.has(actor)) return
            socket.listening = false
            // As libuv does, whoever has the name by then.
            this.names.delete(name)
          })
        }),
      addressOf: (name) => `/memory/${name}`,
      lock: async () => {
        await step('lock', () => undefined)
        if (this.#lockHolder === undefined) this.#lockHolder = actor
        else
          await new Promise<void>((resolve, reject) =>
            this.#lockWaiters.push({actor, done: (error) => (error ? reject(error) : resolve())}),
          )
        return {[Symbol.asyncDispose]: async () => this.#unlock(actor)}
      },
      pause: () => step('pause', () => (this.serverState === 'bound' || this.serverState === 'leaving' ? this.moveServer(0) : undefined)),
    }
  }
}

/** What was started has asked for its next step when this resolves. */
export const settled = (): Promise<void> => setImmediate()
