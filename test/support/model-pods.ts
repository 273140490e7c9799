// Pods, statuses and what the runtime says of them, with what a test names and defaults for the rest.
import type {CriContainerState, CriContainerStatus} from '../../src/kubelet/cri.ts'
import type {Container, ContainerState, ContainerStatus, Pod, PodMetadata, PodSpec, PodStatus} from '../../src/kubelet/pod.ts'
import {type Profile, profileOf} from '../../src/kubelet/profiles.ts'
import type {RuntimePodStatus} from '../../src/kubelet/runtime/runtime-pod.ts'
import type {SwitchName} from '../../src/kubelet/switches.ts'

export const start = Date.UTC(2026, 0, 1)

/** A profile with one switch on or off. */
export function switched(version: string, name: SwitchName, on: boolean): Profile {
  const profile = profileOf(version)
  const switches = new Set(profile.switches)
  if (on) switches.add(name)
  else switches.delete(name)
  return {...profile, switches}
}

export const containerNamed = (name: string, more: Partial<Container> = {}): Container => ({
  name,
  image: 'busybox',
  imagePullPolicy: 'IfNotPresent',
  command: ['sleep', '3600'],
  ...more,
})

export interface PodParts {
  readonly metadata?: Partial<PodMetadata>
  readonly spec?: Partial<PodSpec>
  readonly status?: Partial<PodStatus>
}

/** 'default/web', uid 'u1', restartPolicy Always, one container 'c'. */
export function aPod({metadata, spec, status}: PodParts = {}): Pod {
  return {
    metadata: {namespace: 'default', name: 'web', uid: 'u1', resourceVersion: 1, creationTimestamp: start, ...metadata},
    spec: {restartPolicy: 'Always', terminationGracePeriodSeconds: 30, containers: [containerNamed('c')], ...spec},
    status: aStatus(status),
  }
}

export const aStatus = (status: Partial<PodStatus> = {}): PodStatus => ({
  phase: 'Pending',
  conditions: [],
  initContainerStatuses: [],
  containerStatuses: [],
  ...status,
})

/** With a deletionTimestamp. */
export const deleted = (pod: Pod): Pod => ({...pod, metadata: {...pod.metadata, deletionTimestamp: start + 30_000}})

export const running: ContainerState = {running: {startedAt: start}}
export const waiting = (reason = 'ContainerCreating'): ContainerState => ({waiting: {reason}})
export const exited = (exitCode: number): ContainerState => ({
  terminated: {
    exitCode,
    reason: exitCode === 0 ? 'Completed' : 'Error',
    startedAt: start,
    finishedAt: start + 1000,
    containerID: 'lab://c-0',
  },
})
export const unknownEnd: ContainerState = {
  terminated: {
    exitCode: 137,
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was terminated',
  },
}

export const statusOf = (name: string, state: ContainerState, more: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name,
  image: 'busybox',
  state,
  ready: false,
  restartCount: 0,
  ...more,
})

/** What the runtime says of one container; it exited with `exitCode` at start + 1 s, if it did. */
export function inRuntime(name: string, state: CriContainerState, more: Partial<CriContainerStatus> = {}): CriContainerStatus {
  return {
    id: `${name}-0`,
    podSandboxId: 's1',
    pod: {namespace: 'default', name: 'web', uid: 'u1'},
    metadata: {name, attempt: 0},
    image: 'busybox',
    state,
    createdAt: start,
    startedAt: state === 'CREATED' ? 0 : start,
    finishedAt: state === 'EXITED' ? start + 1000 : 0,
    exitCode: 0,
    reason: state === 'EXITED' ? 'Completed' : '',
    message: '',
    ...more,
  }
}

export const runtimePod = (...containers: CriContainerStatus[]): RuntimePodStatus => ({
  uid: 'u1',
  namespace: 'default',
  name: 'web',
  sandboxes: [],
  containers,
})
