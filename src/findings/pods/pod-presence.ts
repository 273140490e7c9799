// Who knows a pod's UID: the kubelet, the runtime, the API server. What nobody knows is left over, if those who were asked can tell.
import {oncePer} from '../../base/once-per.ts'
import {podLabels} from '../../node/cri-selection.ts'
import {type Pod, uidsOf} from '../../node/pod.ts'
import {whole} from '../../node/reading.ts'
import type {Snapshot, SourceName} from '../../node/snapshot.ts'
import {type Container, ContainerState, type PodSandbox, PodSandboxState} from '../../wire/gen/cri_pb.ts'
import type {Unseen} from '../detector.ts'
import {isStaticUid, kubeletWouldList} from './kubelet-would-list.ts'

export interface PodPresence {
  knows(uid: string): boolean
  /** The source that has it; undefined when none has. */
  sourceOf(uid: string): SourceName | undefined
  /** As the kubelet has it, else as the API server does. */
  pod(uid: string): Pod | undefined
  /** Containers that the runtime says are running. */
  running(uid: string): readonly Container[]
  /** Why a UID that is missing from these lists may still be somebody's. */
  readonly doubt: Unseen | undefined
  /** Who was asked: 'the kubelet, the runtime and the API server'. */
  readonly asked: string
}

export const podPresence: (snapshot: Snapshot) => PodPresence = oncePer((snapshot) => {
  const {readings} = snapshot
  const kubelet = whole(readings['kubelet.pods'])
  const api = whole(readings['api.pods'])
  const sandboxes = whole(readings['runtime.sandboxes'])
  const containers = whole(readings['runtime.containers']) ?? []
  const runtimeCache = whole(readings['kubelet.runningpods']) ?? []
  const pods = new Map([...runtimeCache, ...(api ?? []), ...(kubelet ?? [])].map((pod) => [pod.uid, pod]))
  // A mirror pod has another UID than its static pod, whose UID the directories bear.
  for (const pod of api ?? []) if (pod.staticUid !== undefined && !pods.has(pod.staticUid)) pods.set(pod.staticUid, pod)
  const known = new Map<string, SourceName>([
    ...containers.map((container) => [uidOfContainer(container), 'runtime.containers'] as const),
    ...(sandboxes ?? []).map((sandbox) => [uidOfSandbox(sandbox), 'runtime.sandboxes'] as const),
    ...runtimeCache.map(({uid}) => [uid, 'kubelet.runningpods'] as const),
    ...(api ?? []).flatMap((pod) => uidsOf(pod).map((uid) => [uid, 'api.pods'] as const)),
    ...(kubelet ?? []).map(({uid}) => [uid, 'kubelet.pods'] as const),
  ])
  const running = Map.groupBy(
    containers.filter(({state}) => state === ContainerState.CONTAINER_RUNNING),
    uidOfContainer,
  )
  return {
    knows: (uid) => known.has(uid),
    sourceOf: (uid) => known.get(uid),
    pod: (uid) => pods.get(uid),
    running: (uid) => running.get(uid) ?? [],
    doubt: kubelet && doubtOf(kubelet, sandboxes ?? [], api, kubeletWouldList(snapshot)),
    asked: listed([...(kubelet ? ['the kubelet'] : []), ...(sandboxes ? ['the runtime'] : []), ...(api ? ['the API server'] : [])]),
  }
})

/** The form of a pod's UID: a UUID, or the hash of a static pod's manifest. Other names in pods/ are nobody's to judge. */
export function isPodUid(name: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name) || isStaticUid(name)
}

/** A kubelet that has just started has not heard from all of its sources: its list lacks pods that do run. */
function doubtOf(
  pods: readonly Pod[],
  sandboxes: readonly PodSandbox[],
  api: readonly Pod[] | undefined,
  wouldList: (uid: string) => boolean,
): Unseen | undefined {
  const source = 'kubelet.pods'
  if (pods.length === 0) return {source, why: 'it lists no pod, as right after the start of the kubelet: no pod can be called gone'}
  const listed = new Set(pods.map(({uid}) => uid))
  const ready = sandboxes.filter((sandbox) => sandbox.state === PodSandboxState.SANDBOX_READY && isKubelets(sandbox))
  // What the API server does not have either is gone, and its sandbox is left over. It has static pods under other UIDs.
  const atApi = api && new Set(api.flatMap(uidsOf))
  const isGone = (uid: string) => (atApi === undefined ? wouldList(uid) : !atApi.has(uid) && (!isStaticUid(uid) || wouldList(uid)))
  const missing = new Set(ready.map(uidOfSandbox).filter((uid) => !listed.has(uid) && !isGone(uid)))
  const [first] = missing
  if (first === undefined) return undefined
  const lacks = missing.size === 1 ? `the pod ${first}, whose sandbox is READY` : `${missing.size} pods whose sandboxes are READY`
  return {source, why: `it lacks ${lacks}, as right after the start of the kubelet: no pod can be called gone`}
}

/** Others may use the runtime, too; crictl makes sandboxes with any UID and without labels. */
function isKubelets(sandbox: PodSandbox): boolean {
  return sandbox.labels[podLabels.uid] !== undefined || isPodUid(uidOfSandbox(sandbox))
}

export function uidOfSandbox({metadata, labels}: PodSandbox): string {
  return metadata?.uid || labels[podLabels.uid] || ''
}

export function uidOfContainer({labels}: Container): string {
  return labels[podLabels.uid] ?? ''
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? (names[0] ?? 'nobody') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
