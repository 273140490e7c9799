// What the API server makes of a new status. Upstream: ValidatePodStatusUpdate and ValidateContainerStateTransition in pkg/apis/core/validation.
import type {ContainerState, ContainerStatus, Pod, PodStatus} from '../../kubelet/pod.ts'
import {CallFailure} from '../../kubelet/port.ts'

/** Where restartPolicy forbids it, a container that has ended stays ended. @throws CallFailure 'Invalid' */
export function validateStatus({metadata, spec: {restartPolicy}, status: old}: Pod, status: PodStatus): void {
  if (restartPolicy === 'Always') return
  for (const field of ['containerStatuses', 'initContainerStatuses'] as const) {
    for (const [index, before] of old[field].entries()) {
      if (!('terminated' in before.state)) continue
      if (before.state.terminated.exitCode !== 0 && restartPolicy === 'OnFailure') continue
      const after = status[field].find(({name}) => name === before.name)
      if (after === undefined || 'terminated' in after.state) continue
      const path = `status.${field}[${index}].state`
      throw new CallFailure(
        'Invalid',
        `Pod "${metadata.name}" is invalid: ${path}: Forbidden: may not be transitioned to non-terminated state`,
      )
    }
  }
}

/** The API has whole seconds. The same object when it has them already. */
export function wholeSeconds(status: PodStatus): PodStatus {
  if (momentsOf(status).every((moment) => moment === undefined || moment % 1000 === 0)) return status
  return {
    ...status,
    ...cut(status, 'startTime'),
    conditions: status.conditions.map((each) => ({...each, ...cut(each, 'lastTransitionTime')})),
    containerStatuses: status.containerStatuses.map(cutContainer),
    initContainerStatuses: status.initContainerStatuses.map(cutContainer),
  }
}

function momentsOf({startTime, conditions, containerStatuses, initContainerStatuses}: PodStatus): (number | undefined)[] {
  const states = [...containerStatuses, ...initContainerStatuses].flatMap(({state, lastState}) => [
    ...momentsOfState(state),
    ...momentsOfState(lastState),
  ])
  return [startTime, ...conditions.map(({lastTransitionTime}) => lastTransitionTime), ...states]
}

function momentsOfState(state: ContainerState | undefined): (number | undefined)[] {
  if (state === undefined || 'waiting' in state) return []
  return 'running' in state ? [state.running.startedAt] : [state.terminated.startedAt, state.terminated.finishedAt]
}

function cutContainer(container: ContainerStatus): ContainerStatus {
  const state = cutState(container.state)
  return container.lastState === undefined ? {...container, state} : {...container, state, lastState: cutState(container.lastState)}
}

function cutState(state: ContainerState): ContainerState {
  if ('waiting' in state) return state
  if ('running' in state) return {running: {startedAt: floor(state.running.startedAt)}}
  const {terminated} = state
  return {terminated: {...terminated, ...cut(terminated, 'startedAt'), ...cut(terminated, 'finishedAt')}}
}

const floor = (moment: number): number => Math.floor(moment / 1000) * 1000

function cut<Name extends string>(from: {readonly [N in Name]?: number}, name: Name): {[N in Name]?: number} {
  const moment = from[name]
  return moment === undefined ? {} : ({[name]: floor(moment)} as {[N in Name]?: number})
}
