// What news of a pod means to its worker, from 1.22 on. Upstream: pod_workers.go, UpdatePod

import type {RuntimePodStatus} from '../runtime/runtime-pod.ts'
import {isTerminalPhase} from '../status/get-phase.ts'
import {calculateEffectiveGracePeriod, newPodSyncStatus, type PodSyncStatus, type PodUpdate, workTypeOf} from './pod-sync-status.ts'

/** Nothing of it runs. Upstream: isPodStatusCacheTerminal */
const isRuntimeTerminal = ({containers, sandboxes}: RuntimePodStatus): boolean =>
  containers.every(({state}) => state !== 'RUNNING') && sandboxes.every(({state}) => state !== 'READY')

/**
 * Of a pod that comes for the first time. One that has ended before this kubelet started is not run again.
 * @param finished whether what had to be done then is taken as done
 */
export function firstStatus({pod}: PodUpdate, runtime: RuntimePodStatus | undefined, now: number, finished: boolean): PodSyncStatus {
  const status = newPodSyncStatus()
  if (pod === undefined || runtime === undefined || !isTerminalPhase(pod.status.phase) || !isRuntimeTerminal(runtime)) return status
  return {...status, terminatingAt: now, terminatedAt: now, startedTerminating: true, finished}
}

export interface Accepted {
  readonly update: PodUpdate
  /** What runs now for the pod is cut short. */
  readonly cancels: boolean
}

/** Takes the update into the status; undefined when it changes nothing. */
export function accept(status: PodSyncStatus, given: PodUpdate, now: number): Accepted | undefined {
  const orphan = given.pod === undefined
  if (orphan) status.observedRuntime = true
  // Whoever knew the pod knows better than the runtime's list.
  const known = orphan ? (status.pendingUpdate?.pod ?? status.activeUpdate?.pod) : given.pod
  const update: PodUpdate = orphan && known !== undefined ? {type: given.type, pod: known, ...(given.kill && {kill: given.kill})} : given
  if (status.finished) return undefined

  const becameTerminating = status.terminatingAt === undefined && requestsTermination(status, update, orphan)
  if (becameTerminating) status.terminatingAt = now

  switch (workTypeOf(status)) {
    case 'terminated': {
      if (orphan) return undefined
      update.kill?.onCompleted?.()
      const {kill, ...rest} = update
      return {update: rest, cancels: false}
    }
    case 'terminating': {
      if (update.kill?.onCompleted) status.notifyPostTerminating.push(update.kill.onCompleted)
      if (update.kill?.status) status.statusPostTerminating.push(update.kill.status)
      const {grace, shortened} = graceOf(status, update)
      status.gracePeriod = grace
      return {update: {...update, kill: {...update.kill, grace}}, cancels: becameTerminating || shortened}
    }
    case 'sync': {
      update.kill?.onCompleted?.()
      const {kill, ...rest} = update
      return {update: rest, cancels: false}
    }
  }
}

function requestsTermination(status: PodSyncStatus, {type, pod, kill}: PodUpdate, orphan: boolean): boolean {
  if (orphan || pod === undefined || pod.metadata.deletionTimestamp !== undefined) {
    status.deleted = true
    return true
  }
  if (isTerminalPhase(pod.status.phase)) return true
  if (type !== 'kill') return false
  if (kill?.evict) status.evicted = true
  return true
}

function graceOf(status: PodSyncStatus, {pod, kill}: PodUpdate): {grace: number; shortened: boolean} {
  if (pod !== undefined) return calculateEffectiveGracePeriod(status.gracePeriod, pod, kill?.grace)
  return {grace: Math.max(kill?.grace ?? 1, 1), shortened: false}
}
