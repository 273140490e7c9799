// Sandboxes, containers and processes with the labels of the kubelet and an age, for nodes made by hand.
import {create} from '@bufbuild/protobuf'
import type {ContainerProcess} from '../../src/node/kernel/facts.ts'
import {
  type Container,
  ContainerSchema,
  ContainerState,
  type PodSandbox,
  PodSandboxSchema,
  PodSandboxState,
} from '../../src/wire/gen/cri_pb.ts'
import type {SmallNode} from './small-node.ts'
import {gone, runningPod, web} from './small-node.ts'
import {at} from './snapshot-builder.ts'

export const hour = 3600
export const day = 24 * hour
export const ready: PodSandboxState = PodSandboxState.SANDBOX_READY
export const notReady: PodSandboxState = PodSandboxState.SANDBOX_NOTREADY

const labelsOf = (name: string, uid: string) => ({
  'io.kubernetes.pod.name': name,
  'io.kubernetes.pod.namespace': 'default',
  'io.kubernetes.pod.uid': uid,
})
const nanoseconds = (seconds: number) => BigInt(at(seconds)) * 1_000_000n

export function sandbox(uid: string, {id = `s-${uid}`, name = 'web-9', age = day, attempt = 0, state = ready} = {}): PodSandbox {
  const metadata = {name, namespace: 'default', uid, attempt}
  return create(PodSandboxSchema, {id, metadata, labels: labelsOf(name, uid), createdAt: nanoseconds(-age), state})
}

interface ContainerGiven {
  readonly id?: string
  readonly name?: string
  readonly pod?: string
  readonly age?: number
  readonly attempt?: number
  readonly state?: ContainerState
  readonly annotations?: Readonly<Record<string, string>>
  readonly sandbox?: string
}

export function container(uid: string, given: ContainerGiven = {}): Container {
  const {name = 'app', pod = 'web-9', age = day, attempt = 0, state = ContainerState.CONTAINER_RUNNING, annotations = {}} = given
  const {id = `c-${name}-${uid}`, sandbox: podSandboxId = `s-${uid}`} = given
  const labels = {...labelsOf(pod, uid), 'io.kubernetes.container.name': name}
  const createdAt = nanoseconds(-age)
  return create(ContainerSchema, {id, podSandboxId, metadata: {name, attempt}, labels, annotations: {...annotations}, createdAt, state})
}

export function process(podUid: string, containerId: string, {pid = 4000, age = day, cgroup = '', state = 'S'} = {}): ContainerProcess {
  return {pid, startedAt: at(-age), state, cgroup: cgroup || `/kubepods/besteffort/pod${podUid}/${containerId}`, podUid, containerId}
}

/** A kubelet of a day that has the running pod of the small node, and a pods/ that nobody changed for an hour. */
export function settled(node: SmallNode): void {
  node.process = {pid: 812, program: 'kubelet', startedAt: at(-day), certain: true}
  node.pods = [runningPod('web-0', web, ['data'], {configSource: 'api'})]
}

/** Its pod was deleted, and the runtime has it still. */
export function left(node: SmallNode, {running = true, state = ready} = {}): void {
  settled(node)
  node.sandboxes.push(sandbox(gone, {state}))
  if (running) node.containers.push(container(gone))
}
