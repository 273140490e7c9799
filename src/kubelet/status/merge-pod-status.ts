// What is written to the API server, of what it has and what the kubelet has. Upstream: status/status_manager.go, mergePodStatus

import type {PodStatus} from '../pod.ts'
import type {Profile} from '../profiles.ts'
import {isTerminalPhase} from './get-phase.ts'
import {wholeSeconds} from './normalise-status.ts'
import {podConditionByKubelet, unreadyOfPhase} from './pod-conditions.ts'

/** @param now milliseconds since 1970 */
export function mergePodStatus(
  profile: Profile,
  old: PodStatus,
  next: PodStatus,
  couldHaveRunningContainers: () => boolean,
  now: number,
): PodStatus {
  const conditions = [...old.conditions.filter((each) => !podConditionByKubelet(each)), ...next.conditions.filter(podConditionByKubelet)]
  const merged = {...next, conditions}
  if (!profile.switches.has('phase-waits-for-containers') || !isTerminalPhase(next.phase)) return merged
  // The states of the containers are written all the same.
  if (!isTerminalPhase(old.phase) && couldHaveRunningContainers()) return withPhaseOf(old, merged)
  // An eviction sets the phase of a status whose conditions say ready.
  return {
    ...merged,
    conditions: conditions.map((each) =>
      (each.type === 'Ready' || each.type === 'ContainersReady') && each.status === 'True'
        ? {...each, ...unreadyOfPhase(next.phase), lastTransitionTime: wholeSeconds(now)}
        : each,
    ),
  }
}

function withPhaseOf({phase, reason, message}: PodStatus, {reason: _reason, message: _message, ...status}: PodStatus): PodStatus {
  return {...status, phase, ...(reason !== undefined && {reason}), ...(message !== undefined && {message})}
}
