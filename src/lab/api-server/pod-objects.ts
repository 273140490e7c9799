// The model's pods as the objects that the API server and the kubelet serve, read as the readers of src/node read them.
import {formatInstant} from '../../base/instant.ts'
import type {ContainerState, ContainerStatus, Pod} from '../../kubelet/pod.ts'
import {parsePods, type Pod as SeenPod} from '../../node/pod.ts'

/** @param by who serves them: a kubelet notes where it has a pod from */
export function seenPods(pods: readonly Pod[], node: string, by: 'api' | 'kubelet'): readonly SeenPod[] {
  return parsePods({kind: 'PodList', items: pods.map((pod) => podObject(pod, node, by))})
}

function podObject({metadata, spec, status}: Pod, nodeName: string, by: 'api' | 'kubelet'): object {
  return {
    metadata: {
      ...metadata,
      creationTimestamp: formatInstant(metadata.creationTimestamp),
      deletionTimestamp: time(metadata.deletionTimestamp),
      ...(by === 'kubelet' ? {annotations: {'kubernetes.io/config.source': 'api'}} : {}),
    },
    spec: {...spec, nodeName},
    status: {
      ...status,
      startTime: time(status.startTime),
      containerStatuses: status.containerStatuses.map(statusObject),
      initContainerStatuses: status.initContainerStatuses.map(statusObject),
    },
  }
}

function statusObject({state, lastState, ...status}: ContainerStatus): object {
  return {...status, state: stateObject(state), lastState: lastState === undefined ? {} : stateObject(lastState)}
}

function stateObject(state: ContainerState): object {
  if ('waiting' in state) return state
  if ('running' in state) return {running: {startedAt: time(state.running.startedAt)}}
  const {startedAt, finishedAt} = state.terminated
  return {terminated: {...state.terminated, startedAt: time(startedAt), finishedAt: time(finishedAt)}}
}

const time = (ms: number | undefined): string | null => (ms === undefined ? null : formatInstant(ms))
