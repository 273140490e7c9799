// One sandbox and one container as their own status tells of them. Source: containerd's internal/cri/server/{sandbox_status,container_status}.go
import {create, type MessageInitShape} from '@bufbuild/protobuf'
import type {CriContainerStatus, CriSandbox} from '../../kubelet/cri.ts'
import {
  type ContainerStatus,
  ContainerStatusSchema,
  type LinuxContainerUserSchema,
  type PodSandboxStatus,
  PodSandboxStatusSchema,
} from '../../wire/gen/cri_pb.ts'
import {type LinuxContainerSecurityContext, NamespaceMode, Signal} from '../../wire/gen/cri-config_pb.ts'
import type {Images} from '../runtime/images.ts'
import {type Details, labelsOf} from './details.ts'
import {containerStates, sandboxState} from './listed-rows.ts'
import {nanoseconds} from './nanoseconds.ts'

export function sandboxStatus(row: CriSandbox, details: Details): PodSandboxStatus {
  const given = details.ofSandbox(row)
  const {namespace, name, uid, attempt} = row.metadata
  const options = given?.config.linux?.securityContext?.namespaceOptions
  const hasIp = row.state === 'READY' && options?.network !== NamespaceMode.NODE
  return create(PodSandboxStatusSchema, {
    id: row.id,
    metadata: {namespace, name, uid, attempt},
    state: sandboxState(row),
    createdAt: nanoseconds(row.createdAt),
    network: {ip: hasIp ? details.ip(row) : ''},
    linux: {namespaces: {options: options ?? {}}},
    labels: given?.config.labels ?? labelsOf(row.metadata),
    annotations: given?.config.annotations ?? {},
    runtimeHandler: given?.runtimeHandler ?? '',
  })
}

export function containerStatus(row: CriContainerStatus, details: Details, images: Images): ContainerStatus {
  const given = details.ofContainer(row)
  const {name, attempt} = row.metadata
  const image = images.get(given?.imageId ?? row.image)
  return create(ContainerStatusSchema, {
    id: row.id,
    metadata: {name, attempt},
    state: containerStates[row.state],
    createdAt: nanoseconds(row.createdAt),
    startedAt: nanoseconds(row.startedAt),
    finishedAt: nanoseconds(row.finishedAt),
    exitCode: row.exitCode,
    reason: row.reason,
    message: row.message,
    image: {image: image?.repoTags[0] ?? row.image},
    imageRef: image?.repoDigests[0] ?? given?.imageId ?? row.image,
    imageId: given?.imageId ?? image?.id ?? '',
    labels: given?.config.labels ?? labelsOf(row.pod, name),
    annotations: given?.config.annotations ?? {},
    mounts: given?.config.mounts ?? [],
    logPath: given?.logPath ?? '',
    resources: {linux: given?.resources ?? given?.config.linux?.resources ?? {}},
    user: {linux: userOf(given?.config.linux?.securityContext)},
    stopSignal: given?.config.stopSignal || Signal.SIGTERM,
  })
}

/** Of the image there is nothing to tell: it runs as root. */
function userOf(context: LinuxContainerSecurityContext | undefined): MessageInitShape<typeof LinuxContainerUserSchema> {
  const uid = context?.runAsUser?.value ?? 0n
  const gid = context?.runAsGroup?.value ?? 0n
  return {uid, gid, supplementalGroups: [gid, ...(context?.supplementalGroups ?? [])]}
}
