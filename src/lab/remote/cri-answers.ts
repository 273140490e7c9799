// What a real runtime says, as the kubelet of the lab has it: moments by its clock, and of pods alone.
import type {CriContainer, CriContainerState, CriContainerStatus, CriSandbox, CriSandboxState, SandboxMetadata} from '../../kubelet/cri.ts'
import {
  type Container,
  ContainerState,
  type ContainerStatus,
  type PodSandbox,
  PodSandboxState,
  type PodSandboxStatus,
} from '../../wire/gen/cri_pb.ts'
import type {ContainerMetadata, PodSandboxMetadata} from '../../wire/gen/cri-config_pb.ts'
import {podNameLabel, podNamespaceLabel, podUidLabel} from './cri-configs.ts'

/** Of a moment by the real clock, in milliseconds since 1970. */
export type ToMoment = (real: number) => number

type Labels = Readonly<Record<string, string>>

/** Undefined of what no kubelet has made. */
export function sandboxOf(
  {id, metadata, state, createdAt, labels}: PodSandbox | PodSandboxStatus,
  toMoment: ToMoment,
): CriSandbox | undefined {
  if (labels[podUidLabel] === undefined) return undefined
  return {id, metadata: sandboxMetadata(metadata), state: sandboxStates[state] ?? 'NOTREADY', createdAt: moment(createdAt, toMoment)}
}

/** Undefined of what no kubelet has made. */
export function containerOf(
  {id, podSandboxId, metadata, image, state, createdAt, labels}: Container,
  toMoment: ToMoment,
): CriContainer | undefined {
  if (labels[podUidLabel] === undefined) return undefined
  return {
    id,
    podSandboxId,
    pod: podOf(labels),
    metadata: containerMetadata(metadata),
    image: image?.userSpecifiedImage || image?.image || '',
    state: containerStates[state] ?? 'UNKNOWN',
    createdAt: moment(createdAt, toMoment),
  }
}

/** @param podSandboxId which the runtime's answer lacks */
export function containerStatusOf(status: ContainerStatus, podSandboxId: string, toMoment: ToMoment): CriContainerStatus {
  const {id, metadata, image, state, createdAt, startedAt, finishedAt, exitCode, reason, message, labels} = status
  return {
    id,
    podSandboxId,
    pod: podOf(labels),
    metadata: containerMetadata(metadata),
    image: image?.userSpecifiedImage || image?.image || '',
    state: containerStates[state] ?? 'UNKNOWN',
    createdAt: moment(createdAt, toMoment),
    startedAt: moment(startedAt, toMoment),
    finishedAt: moment(finishedAt, toMoment),
    exitCode,
    reason,
    message,
  }
}

/** A runtime's lists have no order: by what came first, so that the same things make the same list. */
export function inOrder<T extends {readonly id: string; readonly createdAt: number}>(things: readonly (T | undefined)[]): readonly T[] {
  return things.filter((each) => each !== undefined).sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
}

const sandboxStates: Readonly<Record<PodSandboxState, CriSandboxState>> = {
  [PodSandboxState.SANDBOX_READY]: 'READY',
  [PodSandboxState.SANDBOX_NOTREADY]: 'NOTREADY',
}

const containerStates: Readonly<Record<ContainerState, CriContainerState>> = {
  [ContainerState.CONTAINER_CREATED]: 'CREATED',
  [ContainerState.CONTAINER_RUNNING]: 'RUNNING',
  [ContainerState.CONTAINER_EXITED]: 'EXITED',
  [ContainerState.CONTAINER_UNKNOWN]: 'UNKNOWN',
}

function sandboxMetadata(metadata: PodSandboxMetadata | undefined): SandboxMetadata {
  const {namespace = '', name = '', uid = '', attempt = 0} = metadata ?? {}
  return {namespace, name, uid, attempt}
}

function containerMetadata(metadata: ContainerMetadata | undefined): CriContainer['metadata'] {
  const {name = '', attempt = 0} = metadata ?? {}
  return {name, attempt}
}

const podOf = (labels: Labels): CriContainer['pod'] => ({
  namespace: labels[podNamespaceLabel] ?? '',
  name: labels[podNameLabel] ?? '',
  uid: labels[podUidLabel] ?? '',
})

/** Nanoseconds on the wire; 0 is no moment. */
const moment = (nanoseconds: bigint, toMoment: ToMoment): number => (nanoseconds <= 0n ? 0 : toMoment(Number(nanoseconds / 1_000_000n)))
