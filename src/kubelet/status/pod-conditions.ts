// The conditions of a pod that the kubelet owns. Upstream: status/generate.go, types/pod_status.go
import type {Container, ContainerStatus, PodCondition, PodPhase, PodSpec, PodStatus} from '../pod.ts'
import type {Profile} from '../profiles.ts'

const owned: ReadonlySet<string> = new Set(['PodScheduled', 'Ready', 'Initialized', 'ContainersReady'])

export const podConditionByKubelet = ({type}: PodCondition): boolean => owned.has(type)

/** All that the kubelet owns, in upstream's order. */
export function generateConditions(profile: Profile, spec: PodSpec, status: PodStatus): readonly PodCondition[] {
  return [
    generateInitializedCondition(spec, status),
    ...generateReadyConditions(profile, spec, status),
    {type: 'PodScheduled', status: 'True'},
  ]
}

function generateInitializedCondition(spec: PodSpec, {initContainerStatuses, phase}: PodStatus): PodCondition {
  const type = 'Initialized'
  const init = spec.initContainers ?? []
  if (init.length > 0 && initContainerStatuses.length === 0) return {type, status: 'False', reason: 'UnknownContainerStatuses'}
  const {unknown, unready} = readiness(init, initContainerStatuses)
  if (phase === 'Succeeded' && unknown === 0) return {type, status: 'True', reason: 'PodCompleted'}
  return unknown + unready > 0 ? {type, status: 'False', reason: 'ContainersNotInitialized'} : {type, status: 'True'}
}

/** The model has no readiness gates: a pod is as ready as its containers. */
export function generateReadyConditions(profile: Profile, spec: PodSpec, status: PodStatus): readonly [PodCondition, PodCondition] {
  const ready = containersReady(profile, spec, status)
  return [
    {type: 'Ready', ...ready},
    {type: 'ContainersReady', ...ready},
  ]
}

function containersReady(profile: Profile, spec: PodSpec, {containerStatuses, phase}: PodStatus): Omit<PodCondition, 'type'> {
  if (containerStatuses.length === 0) return {status: 'False', reason: 'UnknownContainerStatuses'}
  const {unknown, unready} = readiness(spec.containers, containerStatuses)
  if (phase === 'Succeeded' && unknown === 0) return unreadyOfPhase(phase)
  if (phase === 'Failed' && profile.switches.has('failed-is-unready')) return unreadyOfPhase(phase)
  return unknown + unready > 0 ? {status: 'False', reason: 'ContainersNotReady'} : {status: 'True'}
}

export const unreadyOfPhase = (phase: PodPhase): Omit<PodCondition, 'type'> => ({
  status: 'False',
  reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted',
})

function readiness(containers: readonly Container[], statuses: readonly ContainerStatus[]): {unknown: number; unready: number} {
  const found = containers.map(({name}) => statuses.find((status) => status.name === name))
  return {unknown: found.filter((status) => status === undefined).length, unready: found.filter((status) => status?.ready === false).length}
}
