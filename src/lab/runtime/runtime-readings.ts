// The lab's runtime as CRI lists it and as each container's own status tells of it.
import {create} from '@bufbuild/protobuf'
import type {CriContainerStatus, CriSandbox} from '../../kubelet/cri.ts'
import {podLabels} from '../../node/cri-selection.ts'
import {read} from '../../node/reading.ts'
import {type RuntimeAnswers, runtimeMethods} from '../../node/runtime/answers.ts'
import type {ContainerLook} from '../../node/runtime/container-look.ts'
import type {Readings} from '../../node/snapshot.ts'
import {type Container, ContainerSchema, ContainerState, type PodSandbox, PodSandboxSchema, PodSandboxState} from '../../wire/gen/cri_pb.ts'
import {nanoseconds} from '../cri-service/nanoseconds.ts'
import type {RuntimeWorld} from './runtime-world.ts'

type RuntimeSource = 'runtime.sandboxes' | 'runtime.containers' | 'runtime.container-status' | 'runtime.answers'

export function runtimeReadings({sandboxes, containers}: Pick<RuntimeWorld, 'sandboxes' | 'containers'>): Pick<Readings, RuntimeSource> {
  const rows = containers.list()
  return {
    'runtime.sandboxes': read(sandboxes.list().map(sandboxOf)),
    'runtime.containers': read(rows.map(containerOf)),
    'runtime.container-status': read(rows.map(lookAt)),
    'runtime.answers': read(answers),
  }
}

function sandboxOf({id, metadata, state, createdAt}: CriSandbox): PodSandbox {
  return create(PodSandboxSchema, {
    id,
    metadata,
    state: state === 'READY' ? PodSandboxState.SANDBOX_READY : PodSandboxState.SANDBOX_NOTREADY,
    createdAt: nanoseconds(createdAt),
    labels: labelsOf(metadata),
  })
}

function containerOf({id, podSandboxId, pod, metadata, image, state, createdAt}: CriContainerStatus): Container {
  return create(ContainerSchema, {
    id,
    podSandboxId,
    metadata,
    image: {image},
    imageRef: image,
    state: states[state],
    createdAt: nanoseconds(createdAt),
    labels: {...labelsOf(pod), [podLabels.container]: metadata.name},
  })
}

/** The lab's containers have no process that could be looked for. */
function lookAt({id, state, createdAt, startedAt, finishedAt, exitCode, reason}: CriContainerStatus): ContainerLook {
  return {
    id,
    outcome: {state: 'answered', tookMs: 0},
    status: {
      state: states[state],
      createdAt: nanoseconds(createdAt),
      startedAt: nanoseconds(startedAt),
      finishedAt: nanoseconds(finishedAt),
      exitCode,
      reason,
    },
  }
}

const states = {
  CREATED: ContainerState.CONTAINER_CREATED,
  RUNNING: ContainerState.CONTAINER_RUNNING,
  EXITED: ContainerState.CONTAINER_EXITED,
  UNKNOWN: ContainerState.CONTAINER_UNKNOWN,
} as const

function labelsOf({namespace, name, uid}: CriContainerStatus['pod']): Record<string, string> {
  return {[podLabels.name]: name, [podLabels.namespace]: namespace, [podLabels.uid]: uid}
}

const answers: RuntimeAnswers = {
  endpoint: 'unix:///run/lab/lab.sock',
  source: 'the lab',
  told: true,
  name: 'lab',
  version: '1',
  calls: runtimeMethods.map((method) => ({method, outcome: {state: 'answered', tookMs: 0}})),
  conditions: ['RuntimeReady', 'NetworkReady'].map((type) => ({type, status: true, reason: '', message: ''})),
}
