// The pictures of the public reports about the runtime and the kubelet's loop, on an otherwise healthy node.
import {type FailedKind, failed} from '../../../src/node/reading.ts'
import {ContainerState} from '../../../src/wire/gen/cri_pb.ts'
import {gone, web} from './healthy.ts'
import {day, type ExaminedNode, hour, scopeOf} from './node.ts'
import type {Change} from './pictures.ts'
import {addContainer, addProcess, addSandbox, answersSo, hangs, processGone, withoutLists} from './runtime.ts'

export const forgottenId = 'ab'.repeat(32)
export const olderCopy = 'c-older'

/** containerd#12680: the status lock of one container is held, and so ListContainers waits; crictl pods works. */
export function listHangs(node: ExaminedNode, waitedMs = 10_000): void {
  answersSo(node, 'ListContainers', hangs(waitedMs))
  withoutLists(node, `nothing came within ${waitedMs / 1000} s`, 'silent', ['runtime.containers', 'runtime.container-status'])
}

/** containerd#6565: the network plugin cannot take the sandbox down, and its pod went two hours ago. */
export function sandboxLeft(node: ExaminedNode, ready = false): void {
  addSandbox(node, {uid: gone, ready, created: day})
}

/** containerd#7988: the node started anew, and the pod has another sandbox since an hour. */
export function replaced(node: ExaminedNode, {age = hour, withContainer = false, ready = false} = {}): void {
  node.stop(web)
  const old = addSandbox(node, {uid: web, name: 'web-0', attempt: 0, created: day, ready})
  const sandbox = addSandbox(node, {uid: web, name: 'web-0', attempt: 1, created: age, ready: true})
  addContainer(node, {uid: web, podName: 'web-0', id: `c-${web}`, attempt: 1, created: age, sandbox})
  if (withContainer)
    addContainer(node, {
      uid: web,
      podName: 'web-0',
      id: 'c-old',
      attempt: 0,
      created: day,
      sandbox: old,
      state: ContainerState.CONTAINER_EXITED,
    })
}

/** containerd#8285: the pod went two hours ago, its sandbox and its container run on. */
export function runsOn(node: ExaminedNode): void {
  const sandbox = addSandbox(node, {uid: gone, ready: true})
  addContainer(node, {uid: gone, id: 'c-gone', sandbox})
}

/** containerd#13784: the runtime forgot the first copy, and a replacement runs. */
export function forgotten(node: ExaminedNode, {cgroup = scopeOf(web, forgottenId), age = hour, state = 'S'} = {}): void {
  addProcess(node, cgroup, age, state)
}

/** k8s#98520: the first copy runs on since yesterday, and the kubelet has started another. */
export function runsTwice(
  node: ExaminedNode,
  {age = hour as number | bigint, state = ContainerState.CONTAINER_RUNNING as ContainerState, name = 'app'} = {},
): void {
  node.containers = node.containers.filter(({id}) => id !== `c-${web}`)
  addContainer(node, {uid: web, podName: 'web-0', id: olderCopy, name, attempt: 0, created: day, state})
  addContainer(node, {uid: web, podName: 'web-0', id: `c-${web}`, attempt: 1, created: age})
}

/** k8s#127948: the clock went back between the two sandboxes of the pod. The first keeps its ended container. */
export function steppedBack(node: ExaminedNode, {first = hour as number | bigint, second = day as number | bigint} = {}): void {
  node.stop(web)
  const old = addSandbox(node, {uid: web, name: 'web-0', attempt: 0, created: first})
  const sandbox = addSandbox(node, {uid: web, name: 'web-0', attempt: 1, created: second, ready: true})
  const state = ContainerState.CONTAINER_EXITED
  addContainer(node, {uid: web, podName: 'web-0', id: 'c-old', attempt: 0, created: first, sandbox: old, state})
  addContainer(node, {uid: web, podName: 'web-0', id: `c-${web}`, attempt: 0, created: second, sandbox})
}

/** k8s#101622: the loop waits for a mount whose server is gone. */
export function loopStands(node: ExaminedNode): void {
  node.healthz = {ok: false, text: '[+]ping ok\n[+]log ok\n[-]syncloop failed: reason withheld\nhealthz check failed'}
}

/** k8s#31272: the kubelet hangs while it starts, and opens no port. */
export function nobodyAnswers(node: ExaminedNode, kind?: FailedKind, why = 'ECONNREFUSED'): void {
  for (const name of ['kubelet.pods', 'kubelet.runningpods', 'kubelet.healthz', 'kubelet.metrics'] as const)
    node.readings[name] = failed(why, 5000, kind)
}

/** containerd#12678: the exit handler failed halfway, and RUNNING is what the record says for ever. */
export function runningForEver(node: ExaminedNode): void {
  processGone(node, `c-${web}`)
}

export const runtimePictures: Readonly<Record<string, Change>> = {
  'R01 containerd#12680': (node) => listHangs(node),
  'R02 containerd#6565': (node) => sandboxLeft(node, true),
  'R02 containerd#7988': (node) => replaced(node),
  'R03 containerd#8285': runsOn,
  'R03 containerd#13784': (node) => forgotten(node),
  'R06 k8s#98520': (node) => runsTwice(node),
  'R08 containerd#12678': runningForEver,
  'R10 k8s#127948': (node) => steppedBack(node),
  'K02 k8s#101622': loopStands,
  'K02 k8s#31272': (node) => nobodyAnswers(node, 'refused'),
}
