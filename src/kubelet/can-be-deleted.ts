// Whether the pod's object may go from the API server. Upstream: status/status_manager.go, canBeDeleted
import {isTerminalPhase} from './get-phase.ts'
import type {Pod, PodStatus} from './pod.ts'
import type {Profile} from './profiles.ts'

/** Upstream: PodDeletionSafetyProvider. */
export interface PodDeletionSafety {
  podResourcesAreReclaimed(pod: Pod, status: PodStatus): boolean
  podCouldHaveRunningContainers(pod: Pod): boolean
}

export type CanBeDeleted = (pod: Pod, status: PodStatus, podIsFinished: boolean) => boolean

export function canBeDeleted(profile: Profile, safety: PodDeletionSafety): CanBeDeleted {
  const whenFinished = profile.switches.has('deleted-when-finished')
  return (pod, status, podIsFinished) => {
    if (pod.metadata.deletionTimestamp === undefined) return false
    // The phase that the API server has: it must know how the pod ended before the object goes.
    if (whenFinished) return isTerminalPhase(pod.status.phase) && podIsFinished
    return safety.podResourcesAreReclaimed(pod, status)
  }
}
