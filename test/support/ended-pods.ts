// Pods whose containers have ended or should have, and the runtime's records of them.
import {create} from '@bufbuild/protobuf'
import type {ContainerState, Pod} from '../../src/node/pod.ts'
import {type Container, ContainerSchema, ContainerState as State} from '../../src/wire/gen/cri_pb.ts'
import {lookAt} from './runtime-looks.ts'
import {runningPod, type SmallNode} from './small-node.ts'
import {at} from './snapshot-builder.ts'

export const job = '7a1f0c52-9c0e-4b5e-8f43-2d1f5a0b9e11'
export const main = 'e1'.repeat(32)
export const other = 'cafe'.repeat(16)

export function jobPod(containers: readonly ContainerState[], more: Partial<Pod> = {}): Pod {
  return {...runningPod('job-0', job, [], {restartPolicy: 'Never', nodeName: 'n1', ...more}), containers}
}

export function running(name = 'main', more: Partial<ContainerState> = {}): ContainerState {
  return {name, kind: 'regular', state: 'running', containerId: main, startedAt: at(-3600), ...more}
}

/** A real end. */
export function ended(exitCode: number, finished: number, more: Partial<ContainerState> = {}): ContainerState {
  const times = {startedAt: at(-3600), finishedAt: at(finished)}
  const reason = exitCode === 0 ? 'Completed' : 'Error'
  return {name: 'main', kind: 'regular', state: 'terminated', containerId: main, terminatedId: main, exitCode, reason, ...times, ...more}
}

export const madeUpSuccess: ContainerState = {name: 'main', kind: 'regular', state: 'terminated', exitCode: 0}
export const fallback: ContainerState = {...madeUpSuccess, exitCode: 137, reason: 'ContainerStatusUnknown'}

export function recordOf(state: 'RUNNING' | 'EXITED' | 'CREATED' | 'UNKNOWN', created: number, id = main, name = 'main'): Container {
  const labels = {'io.kubernetes.pod.uid': job}
  const createdAt = BigInt(at(created)) * 1_000_000n
  return create(ContainerSchema, {id, metadata: {name, attempt: 0}, state: State[`CONTAINER_${state}`], createdAt, labels})
}

/** The runtime has this one, too; `exit` and `finished` are what its own status says. */
export function atRuntime(container: Container, exit?: {readonly exitCode: number; readonly finished: number}) {
  return (node: SmallNode) => {
    node.containers.push(container)
    if (exit === undefined) return
    const {exitCode, finished} = exit
    const status = lookAt(container, {}, {exitCode, finishedAt: BigInt(at(finished)) * 1_000_000n}).status
    if (status !== undefined) node.looks[container.id] = {status}
  }
}
