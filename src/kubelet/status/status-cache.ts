// What the kubelet says of its pods, whether the API server knows or not. Upstream: status/status_manager.go, versionedPodStatus
import type {PodStatus} from '../pod.ts'

export interface VersionedPodStatus {
  readonly namespace: string
  readonly name: string
  readonly status: PodStatus
  /** Grows by one with each status of the pod. */
  readonly version: number
  /** Of the pod's first status: upstream means the first that was not sent, and never resets it. */
  readonly at: number
  /** Its worker has nothing left to do. */
  readonly podIsFinished: boolean
}

export interface StatusCache {
  /** By the pod's UID. */
  readonly podStatuses: Map<string, VersionedPodStatus>
  /** The pods of those with a newer version than the one that was sent: so that a wake-up need not look at all. */
  readonly unsent: Set<string>
  /** How often a status was set or removed. */
  changes: number
}

export interface SyncRequest {
  readonly uid: string
  readonly status: VersionedPodStatus
}

export function deletePodStatus(cache: StatusCache, uid: string): void {
  cache.podStatuses.delete(uid)
  cache.unsent.delete(uid)
  cache.changes++
}
