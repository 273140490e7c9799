// What the runtime of an examined node has besides the usual: attempts, states, processes and answers, one at a time.
import {create} from '@bufbuild/protobuf'
import {parseCgroups} from '../../../src/node/processes/cgroup.ts'
import {failed} from '../../../src/node/reading.ts'
import type {CallOutcome, RuntimeMethod} from '../../../src/node/runtime/answers.ts'
import {ContainerSchema, ContainerState, PodSandboxSchema, PodSandboxState} from '../../../src/wire/gen/cri_pb.ts'
import {ago, day, type ExaminedNode} from './node.ts'

const runtimeSources = ['runtime.sandboxes', 'runtime.containers', 'runtime.container-status'] as const

/** Nanoseconds since 1970, so many seconds before the check. */
export const nanos = (seconds: number) => BigInt(ago(seconds)) * 1_000_000n

interface SandboxGiven {
  readonly uid: string
  readonly id?: string
  readonly name?: string
  readonly attempt?: number
  readonly ready?: boolean
  readonly state?: PodSandboxState
  /** Seconds before the check, or what the runtime tells. */
  readonly created?: number | bigint
  readonly labelled?: boolean
}

export function addSandbox(node: ExaminedNode, given: SandboxGiven): string {
  const {uid, name = 'last-0', attempt = 0, ready = false, created = day, labelled = true, id = `s-${uid}-${attempt}`} = given
  const state = given.state ?? (ready ? PodSandboxState.SANDBOX_READY : PodSandboxState.SANDBOX_NOTREADY)
  const metadata = {name, namespace: 'shop', uid, attempt}
  const labels = labelled ? podLabels(uid, name) : {}
  node.sandboxes.push(create(PodSandboxSchema, {id, metadata, labels, createdAt: momentOf(created), state}))
  return id
}

interface ContainerGiven {
  readonly uid: string
  readonly id?: string
  readonly podName?: string
  readonly name?: string
  readonly attempt?: number
  readonly sandbox?: string
  readonly state?: ContainerState
  readonly created?: number | bigint
}

export function addContainer(node: ExaminedNode, given: ContainerGiven): string {
  const {uid, podName = 'last-0', name = 'app', attempt = 0, created = day, state = ContainerState.CONTAINER_RUNNING} = given
  const {id = `c-${uid}-${name}-${attempt}`, sandbox = `s-${uid}`} = given
  const labels = {...podLabels(uid, podName), 'io.kubernetes.container.name': name}
  const annotations = {'io.kubernetes.container.restartCount': `${attempt}`, 'io.kubernetes.pod.terminationGracePeriod': '30'}
  const createdAt = momentOf(created)
  node.containers.push(
    create(ContainerSchema, {id, podSandboxId: sandbox, metadata: {name, attempt}, labels, annotations, createdAt, state}),
  )
  return id
}

/** The runtime says RUNNING, and the pid that it names is gone. */
export function processGone(node: ExaminedNode, id: string): void {
  node.containerLooks.set(id, {...node.containerLooks.get(id), process: {state: 'gone'}})
}

/** A process that is in the cgroup of this path. */
export function addProcess(node: ExaminedNode, cgroup: string, age: number, state = 'S'): void {
  const owner = parseCgroups(`0::${cgroup}`)
  if (owner !== undefined) node.processes.push({pid: 40_000 + node.processes.length, startedAt: ago(age), state, ...owner})
}

export const hangs = (waitedMs = 10_000): CallOutcome => ({state: 'silent', waitedMs})

/** In place of its answer; what is asked after a connection that failed is not asked. */
export function answersSo(node: ExaminedNode, method: RuntimeMethod, outcome: CallOutcome): void {
  const at = node.answers.calls.findIndex((call) => call.method === method)
  const calls = node.answers.calls.with(at, {method, outcome})
  const reached = method === 'connect' || method === 'Version'
  node.answers = {...node.answers, calls: reached ? calls.slice(0, at + 1) : calls, conditions: reached ? [] : node.answers.conditions}
}

/** Its lists cannot be had. */
export function withoutLists(
  node: ExaminedNode,
  why: string,
  kind?: 'refused' | 'silent' | 'denied',
  sources = runtimeSources as readonly string[],
) {
  for (const name of runtimeSources) if (sources.includes(name)) node.readings[name] = failed(why, 10_000, kind)
}

function podLabels(uid: string, name: string): Record<string, string> {
  return {'io.kubernetes.pod.uid': uid, 'io.kubernetes.pod.name': name, 'io.kubernetes.pod.namespace': 'shop'}
}

function momentOf(created: number | bigint): bigint {
  return typeof created === 'bigint' ? created : nanos(created)
}
