// Stat workers: as few as do. One that does not answer in time is killed and replaced, one that does not even die is left behind.
import type {Clock} from '../../base/clock.ts'
import {firstLine} from '../../base/errors.ts'
import type {Operations} from './protocol.ts'
import {type Asked, StatWorker, type WorkerProcess} from './stat-worker.ts'

export interface WorkerPoolOptions {
  readonly spawn: () => WorkerProcess
  readonly clock: Clock
}

export interface AskOptions<Part> {
  /** How long a worker may be without a word. */
  readonly quietMs: number
  /** Rejects with its reason. */
  readonly signal: AbortSignal
  readonly onPart: (part: Part) => void
}

export type PoolAsked = Asked | {readonly state: 'skipped'; readonly why: string}

export interface WorkerPool extends Disposable {
  /** Takes an idle worker, starts one where none is, and waits where too many are busy. */
  ask<Op extends keyof Operations>(
    op: Op,
    request: Operations[Op]['request'],
    options: AskOptions<Operations[Op]['part']>,
  ): Promise<PoolAsked>
}

const mostWorkers = 8
/** A killed process is gone at once, or it hangs in the kernel. */
const dyingMs = 1000

export function workerPool({spawn, clock}: WorkerPoolOptions): WorkerPool {
  const idle: StatWorker[] = []
  /** All that live or hang. */
  const workers = new Set<StatWorker>()
  const hanging = new Set<StatWorker>()
  let changed = Promise.withResolvers<void>()
  const closing = new AbortController()

  const change = () => {
    changed.resolve()
    changed = Promise.withResolvers()
  }

  const start = (): StatWorker => {
    const worker = new StatWorker(spawn(), clock)
    workers.add(worker)
    void worker.ended.then(() => {
      workers.delete(worker)
      hanging.delete(worker)
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
      change()
    })
    return worker
  }

  const end = (worker: StatWorker) => {
    worker.kill()
    const gone = new AbortController()
    void worker.ended.then(() => gone.abort())
    const giveUp = () => {
      hanging.add(worker)
      worker.abandon()
      change()
    }
    void clock.sleep(dyingMs, AbortSignal.any([gone.signal, closing.signal])).then(giveUp, () => undefined)
  }

  const take = async (signal: AbortSignal): Promise<StatWorker | undefined> => {
    for (;;) {
      signal.throwIfAborted()
      const free = idle.pop()
      if (free !== undefined) return free
      if (workers.size < mostWorkers) return start()
      if (hanging.size === mostWorkers) return undefined
      await aborted(signal, changed.promise)
    }
  }

  return {
    async ask(op, request, options) {
      let worker: StatWorker | undefined
      try {
        if (closing.signal.aborted) throw new Error('the stat workers are closed')
        worker = await take(options.signal)
        if (worker === undefined) return {state: 'skipped', why: `${mostWorkers} workers hang`}
        const asked = await worker.ask(op, request, options)
        if (asked.state !== 'answered' || closing.signal.aborted) end(worker)
        else idle.push(worker)
        change()
        return asked
      } catch (error) {
        if (worker !== undefined) end(worker)
        options.signal.throwIfAborted()
        return {state: 'failed', why: firstLine(error)}
      }
    },
    [Symbol.dispose]() {
      // Nothing of ours may keep the process from ending.
      closing.abort()
      for (const worker of workers) {
        worker.kill()
        worker.abandon()
      }
    },
  }
}

/** @throws the signal's reason when it comes first. */
async function aborted(signal: AbortSignal, other: Promise<void>): Promise<void> {
  const end = Promise.withResolvers<void>()
  const abort = () => end.reject(signal.reason)
  signal.addEventListener('abort', abort, {once: true})
  try {
    await Promise.race([end.promise, other])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
