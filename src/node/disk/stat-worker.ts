// One stat worker as the main process has it: a conversation with a process that may stop to answer at any word.
import type {Clock} from '../../base/clock.ts'
import {firstLine} from '../../base/errors.ts'
import type {Answer, Operations} from './protocol.ts'

/** A process that speaks the protocol. Handed in, so that tests have ones that never answer or never die. */
export interface WorkerProcess {
  send(line: string): void
  /** Told once, before anything else is called: every line that it writes, and how it ended. */
  listen(told: {readonly line: (text: string) => void; readonly end: (why: string) => void}): void
  /** SIGKILL. A process that hangs in the kernel does not heed even that. */
  kill(): void
  /** Lets go of one that does not die, so that it keeps nobody from ending. */
  abandon(): void
}

export type Asked =
  | {readonly state: 'answered'}
  /** Not a word for that long. */
  | {readonly state: 'silent'; readonly afterMs: number}
  /** It could not be started, it died, or it has a fault. */
  | {readonly state: 'failed'; readonly why: string}

type Ask = {readonly onPart: (part: never) => void; readonly settle: (asked: Asked) => void}

/** To load the program takes long on a node that is busy: no sign that a file system hangs. */
const startMs = 10_000

export class StatWorker {
  readonly ended: Promise<string>
  readonly #process: WorkerProcess
  readonly #clock: Clock
  readonly #ready = Promise.withResolvers<void>()
  #id = 0
  #ask: Ask | undefined
  /** Grows with each line. */
  #heard = 0

  constructor(process: WorkerProcess, clock: Clock) {
    this.#process = process
    this.#clock = clock
    const ended = Promise.withResolvers<string>()
    this.ended = ended.promise
    process.listen({line: (text) => this.#hear(text), end: ended.resolve})
    void this.ended.then((why) => this.#ask?.settle({state: 'failed', why: `the stat worker ended: ${why}`}))
  }

  /** One question at a time. @param quietMs how long it may be without a word. Rejects with the signal's reason. */
  async ask<Op extends keyof Operations>(
    op: Op,
    request: Operations[Op]['request'],
    options: {readonly quietMs: number; readonly signal: AbortSignal; readonly onPart: (part: Operations[Op]['part']) => void},
  ): Promise<Asked> {
    const {quietMs, signal, onPart} = options
    signal.throwIfAborted()
    const settled = Promise.withResolvers<Asked>()
    const abort = () => settled.reject(signal.reason)
    signal.addEventListener('abort', abort, {once: true})
    const done = new AbortController()
    this.#ask = {onPart, settle: settled.resolve}
    this.#process.send(JSON.stringify({id: ++this.#id, op, ...request}))
    void this.#watch(quietMs, done.signal).then(settled.resolve, () => undefined)
    try {
      return await settled.promise
    } finally {
      this.#ask = undefined
      done.abort()
      signal.removeEventListener('abort', abort)
    }
  }

  kill(): void {
    this.#process.kill()
  }

  abandon(): void {
    this.#process.abandon()
  }

  /** By sleeping, as the clock may be set forward in the meantime. */
  async #watch(quietMs: number, signal: AbortSignal): Promise<Asked> {
    const slept = this.#clock.sleep(startMs, signal).then(() => true)
    const late = await Promise.race([slept, this.#ready.promise.then(() => false)])
    if (late) return {state: 'failed', why: `the stat worker did not start within ${startMs} ms`}
    slept.catch(() => undefined)
    for (let heard = -1; heard !== this.#heard; ) {
      heard = this.#heard
      await this.#clock.sleep(quietMs, signal)
      // When we were the ones who were busy, its words lie there unread.
      await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    }
    return {state: 'silent', afterMs: quietMs}
  }

  #hear(text: string): void {
    this.#heard++
    try {
      const answer = JSON.parse(text) as Answer
      const ask = this.#ask
      if ('hello' in answer) this.#ready.resolve()
      else if (ask === undefined || answer.id !== this.#id) return
      else if ('part' in answer) ask.onPart(answer.part as never)
      else ask.settle('failed' in answer ? {state: 'failed', why: answer.failed} : {state: 'answered'})
    } catch (error) {
      this.#ask?.settle({state: 'failed', why: `the stat worker wrote what is no answer: ${firstLine(error)}`})
    }
  }
}
