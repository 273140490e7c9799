// Statuses as the API server would give them back, so that they can be compared. Upstream: status/status_manager.go, normalizeStatus, isPodStatusByKubeletEqual
import {isDeepStrictEqual} from 'node:util'
import type {ContainerState, ContainerStatus, Pod, PodSpec, PodStatus} from '../pod.ts'
import {podConditionByKubelet} from './pod-conditions.ts'

const maxMessageBytes = 12 * 1024

export function normaliseStatus({spec}: Pod, status: PodStatus): PodStatus {
  const bytes = Math.floor(maxMessageBytes / (spec.containers.length + (spec.initContainers?.length ?? 0)))
  const container = (each: ContainerStatus): ContainerStatus => ({
    ...each,
    state: normaliseState(each.state, bytes),
    ...(each.lastState && {lastState: normaliseState(each.lastState, bytes)}),
  })
  return {
    ...status,
    ...(status.startTime !== undefined && {startTime: wholeSeconds(status.startTime)}),
    conditions: status.conditions.map((each) =>
      each.lastTransitionTime === undefined ? each : {...each, lastTransitionTime: wholeSeconds(each.lastTransitionTime)},
    ),
    containerStatuses: byName(status.containerStatuses.map(container)),
    initContainerStatuses: inOrderOf(spec, status.initContainerStatuses.map(container)),
  }
}

function normaliseState(state: ContainerState, bytes: number): ContainerState {
  if ('running' in state) return {running: {startedAt: wholeSeconds(state.running.startedAt)}}
  if (!('terminated' in state)) return state
  const {startedAt, finishedAt, message} = state.terminated
  return {
    terminated: {
      ...state.terminated,
      ...(startedAt !== undefined && {startedAt: wholeSeconds(startedAt)}),
      ...(finishedAt !== undefined && {finishedAt: wholeSeconds(finishedAt)}),
      ...(message !== undefined && {message: message.slice(0, bytes)}),
    },
  }
}

/** As the API has moments. */
export const wholeSeconds = (ms: number): number => Math.floor(ms / 1000) * 1000

/** Upstream: types.SortedContainerStatuses */
export const byName = (statuses: readonly ContainerStatus[]): readonly ContainerStatus[] =>
  statuses.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))

/** Upstream: types.SortInitContainerStatuses */
function inOrderOf({initContainers = []}: PodSpec, statuses: readonly ContainerStatus[]): readonly ContainerStatus[] {
  if (statuses.length < 2) return statuses
  const order = new Map(initContainers.map(({name}, index) => [name, index]))
  return statuses.toSorted((a, b) => (order.get(a.name) ?? 0) - (order.get(b.name) ?? 0))
}

/** But for conditions of others, and for when a condition changed. */
export function isPodStatusByKubeletEqual(old: PodStatus, status: PodStatus): boolean {
  for (const condition of status.conditions) {
    if (!podConditionByKubelet(condition)) continue
    const before = old.conditions.find(({type}) => type === condition.type)
    if (before?.status !== condition.status || before.reason !== condition.reason) return false
  }
  return isDeepStrictEqual({...old, conditions: []}, {...status, conditions: []})
}
