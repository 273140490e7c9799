// How far a pod worker of 1.22 and later is with its pod. Upstream: pod_workers.go, podSyncStatus
import type {Pod, PodStatus} from '../pod.ts'
import type {RuntimePod} from '../runtime/runtime-pod.ts'
import type {SyncType} from './pod-lifecycle.ts'

/** It goes through them in this order and never back. */
export type WorkType = 'sync' | 'terminating' | 'terminated'

export interface PodUpdate {
  readonly type: SyncType | 'kill'
  /** Absent of a pod that only the runtime knows. */
  readonly pod?: Pod
  readonly runningPod?: RuntimePod
  readonly kill?: KillOptions
}

export interface KillOptions {
  readonly evict?: boolean
  /** Seconds. */
  readonly grace?: number
  /** What the killer says of the pod. */
  readonly status?: (status: PodStatus) => PodStatus
  readonly onCompleted?: () => void
}

export interface PodSyncStatus {
  startedAt?: number
  terminatingAt?: number
  /** The worker has seen that it is to end: no container will be started any more. */
  startedTerminating: boolean
  terminatedAt?: number
  finished: boolean
  deleted: boolean
  evicted: boolean
  observedRuntime: boolean
  /** Seconds; 0 while none was asked for. */
  gracePeriod: number
  pendingUpdate?: PodUpdate | undefined
  /** The last one that was begun. */
  activeUpdate?: PodUpdate
  /** Of the sync that runs. */
  cancel?: AbortController
  readonly notifyPostTerminating: (() => void)[]
  readonly statusPostTerminating: ((status: PodStatus) => PodStatus)[]
}

export const newPodSyncStatus = (): PodSyncStatus => ({
  startedTerminating: false,
  finished: false,
  deleted: false,
  evicted: false,
  observedRuntime: false,
  gracePeriod: 0,
  notifyPostTerminating: [],
  statusPostTerminating: [],
})

export function workTypeOf({terminatedAt, terminatingAt}: PodSyncStatus): WorkType {
  if (terminatedAt !== undefined) return 'terminated'
  return terminatingAt === undefined ? 'sync' : 'terminating'
}

/** The newest pod known stays when a pod of the runtime alone comes after it; what was asked of a kill adds up. */
export function mergeLastUpdate(status: PodSyncStatus, update: PodUpdate): void {
  const {pod, kill} = status.activeUpdate ?? {}
  const newest = pod === undefined || update.runningPod === undefined ? update.pod : pod
  const options = update.kill === undefined ? kill : pick(update.kill)
  status.activeUpdate = {
    type: update.type,
    ...(newest && {pod: newest}),
    ...(update.runningPod && {runningPod: update.runningPod}),
    ...(options && {kill: options}),
  }
}

const pick = ({evict, grace}: KillOptions): KillOptions => ({...(evict && {evict}), ...(grace !== undefined && {grace})})

/**
 * The grace only shrinks, and is one second at least.
 * @param current seconds; 0 while there is none
 */
export function calculateEffectiveGracePeriod(current: number, pod: Pod, override?: number): {grace: number; shortened: boolean} {
  let grace = current
  for (const asked of [pod.metadata.deletionGracePeriodSeconds, override]) {
    if (asked !== undefined && (grace === 0 || asked < grace)) grace = asked
  }
  const asked = pod.metadata.deletionGracePeriodSeconds !== undefined || override !== undefined
  if (grace === 0 && !asked) grace = pod.spec.terminationGracePeriodSeconds
  grace = Math.max(grace, 1)
  return {grace, shortened: current !== 0 && current !== grace}
}
