// The pods of this node as each sees them who tells of their containers: the kubelet, and the API server.
import {oncePer} from '../../base/once-per.ts'
import {type ContainerState, nodeUid, type Pod} from '../../node/pod.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Unseen} from '../detector.ts'
import type {Subject} from '../finding.ts'
import {usable} from '../usable.ts'
import {uidOfContainer, uidOfSandbox} from './pod-presence.ts'

/** The kubelet relists each second and patches statuses in batches, every 10 s: of less than that nothing can be said. */
export const statusLagMs = 15_000

export interface PodView {
  readonly source: 'kubelet.pods' | 'api.pods'
  readonly pod: Pod
}

export interface SeenPod {
  /** As the runtime and the directories have it: of a static pod, that of its file. */
  readonly uid: string
  /** As the first of the views has it. */
  readonly pod: Pod
  /** One or two, the kubelet's first. */
  readonly views: readonly PodView[]
}

export const seenPods: (snapshot: Snapshot) => readonly SeenPod[] = oncePer((snapshot) => {
  const seen = new Map<string, SeenPod>()
  for (const source of ['kubelet.pods', 'api.pods'] as const) {
    for (const pod of usable(snapshot, source) ? (known(snapshot.readings[source]) ?? []) : []) {
      const uid = nodeUid(pod)
      const before = seen.get(uid)
      if (before === undefined && source === 'api.pods' && !isHere(pod, uid, snapshot)) continue
      seen.set(uid, {uid, pod: before?.pod ?? pod, views: [...(before?.views ?? []), {source, pod}]})
    }
  }
  return [...seen.values()]
})

/** A list that somebody made with kubectl has the pods of all nodes. */
function isHere({nodeName}: Pod, uid: string, snapshot: Snapshot): boolean {
  if (snapshot.node !== '') return nodeName === snapshot.node
  return uidsAtRuntime(snapshot).has(uid)
}

const uidsAtRuntime: (snapshot: Snapshot) => ReadonlySet<string> = oncePer(
  ({readings}) =>
    new Set([
      ...(known(readings['runtime.containers']) ?? []).map(uidOfContainer),
      ...(known(readings['runtime.sandboxes']) ?? []).map(uidOfSandbox),
    ]),
)

/** Pods run, it is said, and the runtime has heard of none of them: a node can have two runtimes, and we may have asked the wrong one. */
export function strangeRuntime(snapshot: Snapshot): Unseen | undefined {
  const running = seenPods(snapshot).filter(({views}) => views.some(({pod}) => pod.containers.some(({state}) => state === 'running')))
  if (running.length === 0 || running.some(({uid}) => uidsAtRuntime(snapshot).has(uid))) return undefined
  return {source: 'runtime.containers', why: 'it has no container of the pods that run: this may not be the runtime that the kubelet uses'}
}

export function whoSays(source: PodView['source']): string {
  return source === 'kubelet.pods' ? 'the kubelet' : 'the API server'
}

export function podSubject({uid, pod}: SeenPod): Subject {
  return {kind: 'Pod', namespace: pod.namespace, name: pod.name, uid}
}

export function containerSubject({uid, pod}: SeenPod, name: string): Subject {
  return {kind: 'Container', namespace: pod.namespace, name, pod: pod.name, podUid: uid}
}

/** 'app running, init terminated (exit 1, Error)'. */
export function describeStates(containers: readonly ContainerState[]): string {
  if (containers.length === 0) return 'no container has a status'
  return containers.map((each) => `${each.name} ${describeState(each)}`).join(', ')
}

function describeState({state, exitCode, reason}: ContainerState): string {
  const details = [...(exitCode === undefined ? [] : [`exit ${exitCode}`]), ...(reason === undefined ? [] : [reason])]
  return details.length === 0 ? state : `${state} (${details.join(', ')})`
}
