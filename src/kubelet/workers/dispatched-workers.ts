// One worker a pod, one piece of work waiting: up to 1.21. Upstream: pod_workers.go
import type {Clock} from '../../base/clock.ts'
import type {PodCache} from '../pleg/pod-cache.ts'
import {type Pod, type PodStatus, podKey} from '../pod.ts'
import type {Known} from '../pod-manager.ts'
import type {KubeletPorts} from '../ports.ts'
import type {RuntimePodStatus} from '../runtime/runtime-pod.ts'
import type {WorkQueue} from './work-queue.ts'

export interface Work {
  readonly pod: Pod
  readonly kill?: KillOptions
}

export interface KillOptions {
  readonly status: PodStatus
  /** Seconds. */
  readonly grace: number
  readonly onComplete: (error: unknown) => void
}

export interface DispatchedWorkers {
  updatePod(work: Work): void
  forgetWorker(uid: string): void
  forgetNonExistingPodWorkers(desired: Known): void
}

export interface DispatchedWorkersOptions {
  readonly clock: Clock
  readonly cache: PodCache
  readonly queue: WorkQueue
  readonly syncPod: (work: Work, status: RuntimePodStatus) => Promise<void>
  readonly requeueAfter: (error: unknown, now: number) => number
  readonly log: KubeletPorts['log']
  readonly signal: AbortSignal
  readonly spawn: (work: Promise<unknown>) => void
}

interface Worker {
  /** False once it was forgotten: then it ends with what it does now. */
  exists: boolean
  working: boolean
  pending: Work | undefined
  /** When it last finished; a worker of the same pod after it begins anew. */
  turn: {lastSyncTime: number}
}

export function dispatchedWorkers(options: DispatchedWorkersOptions): DispatchedWorkers {
  const {clock, cache, queue, syncPod, requeueAfter, log, signal, spawn} = options
  const workers = new Map<string, Worker>()
  /** Those that were wanted when the workers were last gone through; undefined when one has come since. */
  let lastDesired: Known | undefined
  const newTurn = () => ({lastSyncTime: Number.NEGATIVE_INFINITY})

  const sync = async (work: Work, turn: Worker['turn']): Promise<unknown> => {
    try {
      // It must see what it did itself the last time: it waits for the next look at the runtime.
      const cached = await cache.getNewerThan(work.pod.metadata.uid, turn.lastSyncTime)
      if ('error' in cached) throw cached.error
      await syncPod(work, cached.status).finally(() => {
        turn.lastSyncTime = clock.now()
      })
      return undefined
    } catch (error) {
      signal.throwIfAborted()
      log({text: 'Error syncing pod, skipping', pod: podKey(work.pod), fields: {err: String(error)}})
      return error ?? new Error('failed')
    }
  }

  const managePodLoop = async (uid: string, worker: Worker, first: Work): Promise<void> => {
    // Who wakes a worker goes on first: all events of one relist are handed out before it has said anything of the first.
    await clock.sleep(0, signal)
    for (let work: Work | undefined = first; work !== undefined; ) {
      const error = await sync(work, worker.turn)
      work.kill?.onComplete(error)
      queue.enqueue(uid, requeueAfter(error, clock.now()))
      work = worker.pending
      worker.pending = undefined
    }
    worker.working = false
    if (!worker.exists) workers.delete(uid)
  }

  const remove = (uid: string, worker: Worker): void => {
    worker.exists = false
    worker.pending = undefined
    worker.turn = newTurn()
    if (!worker.working) workers.delete(uid)
  }

  return {
    updatePod: (work) => {
      const {uid} = work.pod.metadata
      const worker = workers.get(uid) ?? {exists: false, working: false, pending: undefined, turn: newTurn()}
      workers.set(uid, worker)
      if (!worker.exists) lastDesired = undefined
      worker.exists = true
      if (!worker.working) {
        worker.working = true
        spawn(managePodLoop(uid, worker, work))
      } else if (worker.pending?.kill === undefined) {
        // What is newer replaces what waits, but nothing replaces a kill.
        worker.pending = work
      }
    },
    forgetWorker: (uid) => {
      const worker = workers.get(uid)
      if (worker !== undefined) remove(uid, worker)
    },
    forgetNonExistingPodWorkers: (desired) => {
      if (desired === lastDesired) return
      for (const [uid, worker] of workers) if (!desired.has(uid)) remove(uid, worker)
      lastDesired = desired
    },
  }
}
