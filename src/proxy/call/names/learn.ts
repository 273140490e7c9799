// What a call that passed tells of names: a request that has a name and an answer that has the id, lists, statuses, paths.
import {fromBinary, type Message} from '@bufbuild/protobuf'
import {
  ContainerStatusResponseSchema,
  type CreateContainerRequest,
  CreateContainerResponseSchema,
  PodSandboxStatusResponseSchema,
  type RunPodSandboxRequest,
  RunPodSandboxResponseSchema,
} from '../../../wire/gen/cri_pb.ts'
import {type CreateVolumeRequest, CreateVolumeResponseSchema} from '../../../wire/gen/csi_pb.ts'
import {pathFacts} from '../describe/volume-paths.ts'
import {learnContainers, learnSandboxes} from './learn-list.ts'
import type {NameIndex} from './name-index.ts'
import {claimOf, contextOf, podInContext, pvOf, type StringMap} from './volume-context.ts'

type Learn = (answer: Uint8Array, names: NameIndex, request: Message | undefined) => void

/** By method; the answers' messages are without their compression. */
const fromAnswers: ReadonlyMap<string, Learn> = new Map<string, Learn>([
  ['RunPodSandbox', runPodSandbox],
  ['CreateContainer', createContainer],
  ['ListPodSandbox', learnSandboxes],
  ['StreamPodSandboxes', learnSandboxes],
  ['ListContainers', learnContainers],
  ['StreamContainers', learnContainers],
  ['PodSandboxStatus', podSandboxStatus],
  ['ContainerStatus', containerStatus],
  ['CreateVolume', createVolume],
])

export function answerHasNames(method: string): boolean {
  return fromAnswers.has(method)
}

/** Of a call that went well. */
export function learnFromAnswer(method: string, answer: Uint8Array, names: NameIndex, request: Message | undefined): void {
  fromAnswers.get(method)?.(answer, names, request)
}

/** Before anybody has answered: pods and claims that a CSI call itself names, and which volume is which persistent volume. */
export function learnFromRequest(request: Message, names: NameIndex): void {
  const {volumeId, targetPath, stagingTargetPath, volumeContext} = request as Message & OfVolume
  if (volumeId === undefined || volumeId === '') return
  const {pv} = pathFacts(targetPath || stagingTargetPath || '')
  const context = contextOf({...(volumeContext && {volumeContext})})
  const pod = podInContext(context)
  if (pod !== undefined) names.addPod(pod)
  const pvc = claimOf(context) ?? (pv === undefined ? undefined : names.pvcOfPv(pv))
  if (pvc !== undefined) names.addVolume({pvc, volumeId, ...(pv === undefined ? {} : {pv})})
}

interface OfVolume {
  readonly volumeId?: string
  readonly targetPath?: string
  readonly stagingTargetPath?: string
  readonly volumeContext?: StringMap
}

function runPodSandbox(answer: Uint8Array, names: NameIndex, request: Message | undefined): void {
  const metadata = (request as RunPodSandboxRequest | undefined)?.config?.metadata
  const {podSandboxId} = fromBinary(RunPodSandboxResponseSchema, answer)
  if (metadata !== undefined && podSandboxId !== '') names.addSandbox(podSandboxId, metadata)
}

function createContainer(answer: Uint8Array, names: NameIndex, request: Message | undefined): void {
  const {podSandboxId = '', config, sandboxConfig} = (request ?? {}) as Partial<CreateContainerRequest>
  const {containerId} = fromBinary(CreateContainerResponseSchema, answer)
  if (config?.metadata === undefined || containerId === '') return
  names.addContainer(containerId, {name: config.metadata.name, sandboxId: podSandboxId})
  if (sandboxConfig?.metadata !== undefined && podSandboxId !== '') names.addSandbox(podSandboxId, sandboxConfig.metadata)
}

function podSandboxStatus(answer: Uint8Array, names: NameIndex): void {
  const {status} = fromBinary(PodSandboxStatusResponseSchema, answer)
  if (status?.metadata !== undefined) names.addSandbox(status.id, status.metadata)
}

/** It does not say which sandbox: the pod is in its labels. */
function containerStatus(answer: Uint8Array, names: NameIndex): void {
  const {status} = fromBinary(ContainerStatusResponseSchema, answer)
  if (status?.metadata === undefined || names.knowsContainer(status.id)) return
  const pod = podInLabels(status.labels)
  names.addContainer(status.id, {name: status.metadata.name, sandboxId: '', ...(pod && {pod})})
}

const podInLabels = (labels: StringMap) => {
  const name = labels['io.kubernetes.pod.name']
  const namespace = labels['io.kubernetes.pod.namespace']
  return name === undefined || namespace === undefined ? undefined : {name, namespace, uid: labels['io.kubernetes.pod.uid'] ?? ''}
}

function createVolume(answer: Uint8Array, names: NameIndex, request: Message | undefined): void {
  const {name = '', parameters = {}} = (request ?? {}) as Partial<CreateVolumeRequest>
  const pvc = claimOf(parameters)
  const {volume} = fromBinary(CreateVolumeResponseSchema, answer)
  // The provisioner gives a volume the name of its persistent volume.
  if (pvc !== undefined && volume !== undefined) names.addVolume({pvc, volumeId: volume.volumeId, pv: pvOf(parameters) ?? name})
}
