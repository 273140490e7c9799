// Whether a watcher of pods saw what is meant.
import type {ObjectEvent} from '../../timeline/event.ts'
import {type SeenContainer as Found, kindOfState, seenPod} from '../../timeline/seen-pod.ts'
import {namesMatch} from '../pods.ts'
import type {Seen, SeenContainer, WatchMatcher} from '../schema/matcher.ts'

export function matchesWatch({watch, ...seen}: WatchMatcher, event: ObjectEvent): boolean {
  return (watch === 'any' || watch === event.type) && matchesSeen(seen, event)
}

export function matchesSeen(
  {pod, phase, reason, terminating, ready, containers = {}, initContainers = {}}: Seen,
  event: ObjectEvent,
): boolean {
  if (pod !== undefined && !namesMatch(pod, event.pod)) return false
  const {metadata, status} = seenPod(event)
  if (phase !== undefined && phase !== status.phase) return false
  if (!textMatches(reason, status.reason)) return false
  if (terminating !== undefined && terminating !== (metadata.deletionTimestamp !== undefined)) return false
  if (ready !== undefined && ready !== status.conditions.some((each) => each.type === 'Ready' && each.status === 'True')) return false
  return allMatch(containers, status.containerStatuses) && allMatch(initContainers, status.initContainerStatuses)
}

function allMatch(wanted: Readonly<Record<string, SeenContainer>>, found: readonly Found[]): boolean {
  return Object.entries(wanted).every(([name, each]) =>
    containerMatches(
      each,
      found.find((one) => one.name === name),
    ),
  )
}

function containerMatches(
  {state, exitCode, reason, containerID, finishedAt, ready, lastExitCode}: SeenContainer,
  found: Found | undefined,
): boolean {
  if (found === undefined) return state === 'absent'
  if (state !== undefined && state !== kindOfState(found.state)) return false
  const {terminated, waiting} = found.state
  if (exitCode !== undefined && exitCode !== terminated?.exitCode) return false
  if (!textMatches(reason, terminated?.reason ?? waiting?.reason)) return false
  // The kubelet writes the id in both places; what it made up has it in neither.
  if (containerID !== undefined && (containerID === 'present') !== Boolean(terminated ? terminated.containerID : found.containerID))
    return false
  if (finishedAt !== undefined && (finishedAt === 'present') !== (terminated?.finishedAt !== undefined)) return false
  if (ready !== undefined && ready !== found.ready) return false
  return lastExitCode === undefined || lastExitCode === found.lastState?.terminated?.exitCode
}

export function textMatches(wanted: string | undefined, found: string | undefined): boolean {
  if (wanted === undefined) return true
  return wanted === 'absent' ? !found : wanted === found
}
