// Whether the pod's object may go from the API server. Upstream: status/status_manager.go, canBeDeleted

import {type Pod, type PodStatus, podKey} from '../pod.ts'
import type {KubeletPorts} from '../ports.ts'
import type {Profile} from '../profiles.ts'
import {isTerminalPhase} from './get-phase.ts'

/** Upstream: PodDeletionSafetyProvider. */
export interface PodDeletionSafety {
  /** A promise when the disk has to be asked. */
  podResourcesAreReclaimed(pod: Pod, status: PodStatus): boolean | Promise<boolean>
  podCouldHaveRunningContainers(pod: Pod): boolean
}

/** @param log absent for the batch, which asks it of each pod */
export type CanBeDeleted = (pod: Pod, status: PodStatus, podIsFinished: boolean, log?: KubeletPorts['log']) => boolean | Promise<boolean>

export function canBeDeleted(profile: Profile, safety: PodDeletionSafety): CanBeDeleted {
  const whenFinished = profile.switches.has('deleted-when-finished')
  return (pod, status, podIsFinished, log) => {
    if (pod.metadata.deletionTimestamp === undefined) return false
    if (!whenFinished) return safety.podResourcesAreReclaimed(pod, status)
    // The phase that the API server has: it must know how the pod ended before the object goes.
    const {phase} = pod.status
    if (isTerminalPhase(phase)) return podIsFinished
    log?.({text: 'Delaying pod deletion as the phase is non-terminal', pod: podKey(pod), fields: {phase, localPhase: status.phase}})
    return false
  }
}
