// The status that a kubelet 1.26.5 gives a pod of one container, like those of fixtures/nodes.
import {busyboxImage} from './containerd.ts'
import {timestamp} from './timestamp.ts'

export interface ContainerSeen {
  readonly id: string
  readonly imageId: string
  readonly startedAt: string
}

export interface ContainerEnd {
  readonly exitCode: number
  readonly reason: string
  readonly finishedAt: string
}

/** @param seen none before the container has started. */
export interface ContainerStory {
  readonly seen?: ContainerSeen
  readonly end?: ContainerEnd
  readonly restarts?: number
}

/** Pending until the container was seen. It stays Running after the end of a pod that is deleted: up to 1.26 such a pod got no last phase. */
export function podStatus(startTime: string, {seen, end, restarts = 0}: ContainerStory = {}) {
  const ready = seen !== undefined && end === undefined
  const condition = (type: string, status: boolean) => ({
    type,
    status: status ? 'True' : 'False',
    lastProbeTime: null,
    lastTransitionTime: timestamp(),
    ...(!status && {reason: 'ContainersNotReady', message: 'containers with unready status: [app]'}),
  })
  const conditions = [['Initialized', true] as const, ['Ready', ready] as const, ['ContainersReady', ready] as const]
  return {
    phase: seen === undefined ? 'Pending' : 'Running',
    conditions: [...conditions, ['PodScheduled', true] as const].map(([type, status]) => condition(type, status)),
    hostIP: '192.0.2.2',
    podIP: '192.0.2.2',
    podIPs: [{ip: '192.0.2.2'}],
    startTime,
    containerStatuses: [
      {
        name: 'app',
        state: stateOf({...(seen && {seen}), ...(end && {end})}),
        lastState: {},
        ready,
        restartCount: restarts,
        image: busyboxImage,
        imageID: seen?.imageId ?? '',
        ...(seen && {containerID: containerId(seen)}),
        started: ready,
      },
    ],
    qosClass: 'BestEffort',
  }
}

function stateOf({seen, end}: ContainerStory): object {
  if (seen === undefined) return {waiting: {reason: 'ContainerCreating'}}
  const startedAt = seconds(seen.startedAt)
  if (end === undefined) return {running: {startedAt}}
  const {exitCode, reason, finishedAt} = end
  return {terminated: {exitCode, reason, startedAt, finishedAt: seconds(finishedAt), containerID: containerId(seen)}}
}

function containerId({id}: ContainerSeen): string {
  return `containerd://${id}`
}

/** Kubernetes has whole seconds. */
function seconds(moment: string): string {
  return timestamp(Date.parse(moment))
}
