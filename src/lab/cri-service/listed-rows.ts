// Sandboxes and containers as the lists of the CRI have them. Source: containerd's internal/cri/server/{sandbox_list,container_list}.go
import {create} from '@bufbuild/protobuf'
import type {CriContainer, CriSandbox} from '../../kubelet/cri.ts'
import {type Container, ContainerSchema, ContainerState, type PodSandbox, PodSandboxSchema, PodSandboxState} from '../../wire/gen/cri_pb.ts'
import {type Details, labelsOf} from './details.ts'
import {nanoseconds} from './nanoseconds.ts'

export function listedSandbox(row: CriSandbox, details: Details): PodSandbox {
  const given = details.ofSandbox(row)
  const {namespace, name, uid, attempt} = row.metadata
  return create(PodSandboxSchema, {
    id: row.id,
    metadata: {namespace, name, uid, attempt},
    state: sandboxState(row),
    createdAt: nanoseconds(row.createdAt),
    labels: given?.config.labels ?? labelsOf(row.metadata),
    annotations: given?.config.annotations ?? {},
    runtimeHandler: given?.runtimeHandler ?? '',
  })
}

export function listedContainer(row: CriContainer, details: Details): Container {
  const given = details.ofContainer(row)
  const {name, attempt} = row.metadata
  return create(ContainerSchema, {
    id: row.id,
    podSandboxId: row.podSandboxId,
    metadata: {name, attempt},
    image: given?.config.image ?? {image: row.image},
    imageRef: given?.imageId ?? row.image,
    imageId: given?.imageId ?? '',
    state: containerStates[row.state],
    createdAt: nanoseconds(row.createdAt),
    labels: given?.config.labels ?? labelsOf(row.pod, name),
    annotations: given?.config.annotations ?? {},
  })
}

export const sandboxState = ({state}: CriSandbox): PodSandboxState =>
  state === 'READY' ? PodSandboxState.SANDBOX_READY : PodSandboxState.SANDBOX_NOTREADY

export const containerStates = {
  CREATED: ContainerState.CONTAINER_CREATED,
  RUNNING: ContainerState.CONTAINER_RUNNING,
  EXITED: ContainerState.CONTAINER_EXITED,
  UNKNOWN: ContainerState.CONTAINER_UNKNOWN,
} as const
