// What a healthy runtime says beyond its lists, for nodes made by hand.
import type {RuntimeAnswers} from '../../src/node/runtime/answers.ts'
import {runtimeMethods} from '../../src/node/runtime/answers.ts'
import type {ContainerLook, SeenStatus} from '../../src/node/runtime/container-look.ts'
import {type Container, ContainerState} from '../../src/wire/gen/cri_pb.ts'

const endpoint = 'unix:///run/containerd/containerd.sock'

export function answering(more: Partial<RuntimeAnswers> = {}): RuntimeAnswers {
  return {
    endpoint,
    source: 'kubelet (pid 812)',
    told: true,
    name: 'containerd',
    version: '1.7.27',
    calls: runtimeMethods.map((method) => ({method, outcome: {state: 'answered', tookMs: 3}})),
    conditions: ['RuntimeReady', 'NetworkReady'].map((type) => ({type, status: true, reason: '', message: ''})),
    ...more,
  }
}

/** Its process runs since the container was made; an ended one ended well. */
export function lookAt(container: Container, more: Partial<ContainerLook> = {}, status: Partial<SeenStatus> = {}): ContainerLook {
  const {id, state, createdAt} = container
  const running = state === ContainerState.CONTAINER_RUNNING
  const exited = state === ContainerState.CONTAINER_EXITED
  return {
    id,
    outcome: {state: 'answered', tookMs: 2},
    status: {
      state,
      createdAt,
      startedAt: running || exited ? createdAt : 0n,
      finishedAt: exited ? createdAt + 60_000_000_000n : 0n,
      exitCode: 0,
      reason: exited ? 'Completed' : '',
      ...status,
    },
    ...(running && {pid: pidOf(id), process: {state: 'there', startedAt: Number(createdAt / 1_000_000n), containerId: id}}),
    runtime: 'io.containerd.runc.v2',
    ...more,
  }
}

function pidOf(id: string): number {
  return 1000 + [...id].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 30_000, 0)
}
