// Pod workers that run, terminate and have terminated a pod, in this order: from 1.22 on. Upstream: pod_workers.go
import {type Pod, podKey} from '../pod.ts'
import type {Known} from '../pod-manager.ts'
import type {RuntimePodStatus} from '../runtime/runtime-pod.ts'
import type {PodLifecycleOptions} from './pod-lifecycle.ts'
import {
  calculateEffectiveGracePeriod,
  mergeLastUpdate,
  type PodSyncStatus,
  type PodUpdate,
  type WorkType,
  workTypeOf,
} from './pod-sync-status.ts'
import {requeueAfter} from './requeue.ts'
import type {PodSyncer, SyncOutcome} from './stateful-sync.ts'
import {accept, firstStatus} from './stateful-update.ts'

export interface StatefulWorkers {
  updatePod(update: PodUpdate): void
  /** Lets go of those that are finished and not desired. */
  syncKnownPods(desired: Known): void
  isKnown(uid: string): boolean
  couldHaveRunningContainers(uid: string): boolean
  shouldPodContentBeRemoved(uid: string): boolean
  isPodTerminationRequested(uid: string): boolean
  shouldPodContainersBeTerminating(uid: string): boolean
  shouldPodRuntimeBeRemoved(uid: string): boolean
}

/** The worker's goroutine and its channel of one token. */
interface Loop {
  token: boolean
  running: boolean
  lastSyncTime: number
}

export function statefulWorkers(options: PodLifecycleOptions, syncer: () => PodSyncer): StatefulWorkers {
  const {profile, ports, signal, cache, queue, spawn} = options
  const {clock, dice, log} = ports
  const takenAsFinished = !profile.switches.has('terminal-synced-anew')
  const orphansTerminated = profile.switches.has('orphans-terminated')
  const requeue = requeueAfter(profile, dice.of('requeue'))
  const statuses = new Map<string, PodSyncStatus>()
  const loops = new Map<string, Loop>()
  let podsSynced = false

  const notify = (uid: string): void => {
    const loop = loops.get(uid) ?? {token: false, running: false, lastSyncTime: Number.NEGATIVE_INFINITY}
    loops.set(uid, loop)
    loop.token = true
    if (loop.running) return
    loop.running = true
    spawn(podWorkerLoop(uid, loop))
  }

  const requeueLastPodUpdate = (uid: string, status: PodSyncStatus): void => {
    if (status.pendingUpdate !== undefined || status.activeUpdate === undefined) return
    status.pendingUpdate = status.activeUpdate
    notify(uid)
  }

  const podWorkerLoop = async (uid: string, loop: Loop): Promise<void> => {
    // Who wakes a worker goes on first: all events of one relist are handed out before it has said anything of the first.
    await clock.sleep(0, signal)
    while (loop.token) {
      loop.token = false
      const status = statuses.get(uid)
      const update = status?.pendingUpdate
      if (status === undefined || update === undefined) continue
      status.pendingUpdate = undefined
      status.cancel = new AbortController()
      status.startedAt ??= clock.now()
      mergeLastUpdate(status, update)
      const work = workTypeOf(status)
      const outcome = await syncOnce(work, status, update, loop)
      if (completed(uid, status, work, update, outcome)) break
    }
    loop.running = false
  }

  interface Outcome {
    readonly isTerminal: boolean
    readonly error?: unknown
  }

  const syncOnce = async (work: WorkType, status: PodSyncStatus, update: PodUpdate, loop: Loop): Promise<Outcome> => {
    const cut = AbortSignal.any([signal, ...(status.cancel ? [status.cancel.signal] : [])])
    try {
      const {pod, runningPod} = update
      if (pod === undefined) {
        if (runningPod !== undefined) await syncer().syncTerminatingRuntimePod(runningPod)
        return {isTerminal: false}
      }
      // What it did itself the last time, such as the ends of the containers that it stopped, must be in it.
      const cached = await cache.getNewerThan(pod.metadata.uid, loop.lastSyncTime)
      if ('error' in cached) throw cached.error
      const {isTerminal, postSync} = await syncPodAs(work, status, pod, update, cached.status, cut).finally(() => {
        loop.lastSyncTime = clock.now()
      })
      // Only after it: what is seen from here on is newer than the sync.
      postSync?.()
      return {isTerminal}
    } catch (error) {
      signal.throwIfAborted()
      const key = podKey({metadata: update.pod?.metadata ?? update.runningPod ?? {namespace: '', name: ''}})
      if (!cut.aborted) log({text: 'Error syncing pod, skipping', pod: key, fields: {err: String(error)}})
      return {isTerminal: false, error: error ?? new Error('failed')}
    }
  }

  const syncPodAs = async (
    work: WorkType,
    status: PodSyncStatus,
    pod: Pod,
    update: PodUpdate,
    podStatus: RuntimePodStatus,
    cut: AbortSignal,
  ): Promise<SyncOutcome> => {
    if (work === 'sync') return syncer().syncPod(pod, podStatus, cut)
    if (work === 'terminated') await syncer().syncTerminatedPod(pod, podStatus, cut)
    else {
      status.startedTerminating = true
      await syncer().syncTerminatingPod(pod, podStatus, update.kill?.grace, status.statusPostTerminating.at(-1))
    }
    return {isTerminal: false}
  }

  /** @returns true when the worker has nothing more to do for the pod, ever */
  const completed = (uid: string, status: PodSyncStatus, work: WorkType, {pod}: PodUpdate, {isTerminal, error}: Outcome): boolean => {
    let phaseTransition = false
    if (error === undefined && work === 'terminated') {
      status.finished = true
      loops.delete(uid)
      return true
    }
    if (error === undefined && work === 'terminating') {
      status.terminatedAt = clock.now()
      if (pod === undefined) {
        // Nobody in the API knows of it: there is nothing to keep.
        statuses.delete(uid)
        loops.delete(uid)
        return true
      }
      for (const done of status.notifyPostTerminating.splice(0)) done()
      status.statusPostTerminating.splice(0)
      phaseTransition = true
    } else if (isTerminal) {
      status.terminatingAt ??= clock.now()
      status.startedTerminating = true
      phaseTransition = true
    }
    if (phaseTransition) requeueLastPodUpdate(uid, status)
    queue.enqueue(uid, phaseTransition ? 0 : requeue(error, clock.now()))
    if (status.pendingUpdate !== undefined) notify(uid)
    return false
  }

  const removeTerminatedWorker = (uid: string, status: PodSyncStatus): void => {
    if (!status.finished) {
      if (!orphansTerminated) return
      status.deleted = true
      if (status.startedAt !== undefined || status.observedRuntime) {
        if (status.terminatingAt === undefined) {
          status.terminatingAt = clock.now()
          const pod = status.activeUpdate?.pod
          status.gracePeriod = pod === undefined ? 1 : calculateEffectiveGracePeriod(status.gracePeriod, pod).grace
        }
        requeueLastPodUpdate(uid, status)
        return
      }
    }
    statuses.delete(uid)
    loops.delete(uid)
  }

  return {
    updatePod: (given) => {
      const uid = given.pod?.metadata.uid ?? given.runningPod?.uid
      if (uid === undefined) return
      let status = statuses.get(uid)
      if (status === undefined) {
        const cached = cache.get(uid)
        status = firstStatus(given, 'error' in cached ? undefined : cached.status, clock.now(), takenAsFinished)
        statuses.set(uid, status)
      }
      const accepted = accept(status, given, clock.now())
      if (accepted === undefined) return
      status.pendingUpdate = accepted.update
      notify(uid)
      if (accepted.cancels) status.cancel?.abort(new Error('context canceled'))
    },
    syncKnownPods: (desired) => {
      podsSynced = true
      for (const [uid, status] of statuses) if (!desired.has(uid)) removeTerminatedWorker(uid, status)
    },
    isKnown: (uid) => statuses.has(uid),
    couldHaveRunningContainers: (uid) => {
      const status = statuses.get(uid)
      return status === undefined ? !podsSynced : status.terminatedAt === undefined
    },
    shouldPodContentBeRemoved: (uid) => {
      const status = statuses.get(uid)
      return status === undefined ? podsSynced : status.evicted || (status.deleted && status.terminatedAt !== undefined)
    },
    isPodTerminationRequested: (uid) => statuses.get(uid)?.terminatingAt !== undefined,
    shouldPodContainersBeTerminating: (uid) => statuses.get(uid)?.startedTerminating ?? podsSynced,
    shouldPodRuntimeBeRemoved: (uid) => {
      const status = statuses.get(uid)
      return status === undefined ? podsSynced : status.terminatedAt !== undefined
    },
  }
}
