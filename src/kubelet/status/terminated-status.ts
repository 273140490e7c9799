// How a pod's containers ended, as far as the kubelet knows, when nothing more will be heard of them. Upstream: status/status_manager.go, TerminatePod

import type {ContainerStatus, Pod, PodStatus} from '../pod.ts'
import type {Profile} from '../profiles.ts'
import {terminated} from './get-phase.ts'

/** @param status the kubelet's own, else the pod's */
export function terminatedStatus(profile: Profile, pod: Pod, status: PodStatus): PodStatus {
  const end = endOf(profile)
  const {containers, initContainers} = affected(profile, pod, status)
  const ended = {
    ...status,
    containerStatuses: containers ? status.containerStatuses.map(end) : status.containerStatuses,
    initContainerStatuses: status.initContainerStatuses.map((each, index) => (index < initContainers ? end(each) : each)),
  }
  const open = status.phase === 'Pending' || status.phase === 'Running'
  return open && profile.switches.has('ends-failed') ? {...ended, phase: 'Failed'} : ended
}

function endOf(profile: Profile): (status: ContainerStatus) => ContainerStatus {
  if (!profile.switches.has('ends-keep-exits')) return (status) => ({...status, state: {terminated: {exitCode: 0}}})
  const waitingToo = profile.switches.has('waiting-ends-killed')
  return (status) => {
    if ('terminated' in status.state || (!waitingToo && 'waiting' in status.state)) return status
    return {...status, state: {terminated: statusUnknown('The container could not be located when the pod was terminated')}}
  }
}

/** The last resort of a kubelet that missed how a container ended. */
export const statusUnknown = (message: string) => ({exitCode: 137, reason: 'ContainerStatusUnknown', message})

/** Whether the containers get an end, and how many of the init containers. */
function affected(profile: Profile, pod: Pod, {initContainerStatuses}: PodStatus): {containers: boolean; initContainers: number} {
  if (!profile.switches.has('initialised-only-ends')) return {containers: true, initContainers: initContainerStatuses.length}
  // Of those that still wait behind the last that started, none can have; the first always may.
  const lastStarted = initContainerStatuses.findLastIndex(hasStarted)
  return {containers: hasPodInitialized(pod), initContainers: Math.max(lastStarted + 1, 1)}
}

const hasStarted = ({state, lastState}: ContainerStatus): boolean => !('waiting' in state) || terminated(lastState) !== undefined

/** By what the API server has of the pod, not by the status that is being ended. */
function hasPodInitialized({spec, status}: Pod): boolean {
  if (!spec.initContainers?.length) return true
  if (status.containerStatuses.some(hasStarted)) return true
  const last = status.initContainerStatuses.at(-1)
  return [last?.lastState, last?.state].some((state) => terminated(state)?.exitCode === 0)
}
