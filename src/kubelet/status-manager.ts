// Upstream: status/status_manager.go
import type {Pod, PodStatus} from './pod.ts'

export interface StatusManager {
  /** The status in the cache. */
  getPodStatus(uid: string): PodStatus | undefined
  setPodStatus(pod: Pod, status: PodStatus): void
  /** What a probe found. */
  setContainerReadiness(uid: string, containerID: string, ready: boolean): void
  terminatePod(pod: Pod): void
  removeOrphanedStatuses(uids: ReadonlySet<string>): void
}

/** Upstream: PodDeletionSafetyProvider. */
export interface PodDeletionSafety {
  podResourcesAreReclaimed(pod: Pod, status: PodStatus): boolean
  podCouldHaveRunningContainers(pod: Pod): boolean
}
