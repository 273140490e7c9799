// Who owns a pod's UID: the kubelet or the API server. What only the runtime has is nobody's, if those two would have it.
import {oncePer} from '../../base/once-per.ts'
import {type Pod, uidsOf} from '../../node/pod.ts'
import {known, whole} from '../../node/reading.ts'
import type {Snapshot, SourceName} from '../../node/snapshot.ts'
import type {Unseen} from '../detector.ts'
import type {Evidence} from '../finding.ts'
import {isStaticUid, kubeletWouldList} from './kubelet-would-list.ts'
import {isPodUid} from './pod-presence.ts'

export interface PodOwners {
  /** As the kubelet has it, else as the API server does. */
  pod(uid: string): {readonly pod: Pod; readonly source: SourceName} | undefined
  /** Nobody has it, and whoever should have it was asked. */
  gone(uid: string): boolean
  /** That nobody has it. */
  evidence(uid: string): readonly Evidence[]
}

export const podOwners: (snapshot: Snapshot) => PodOwners = oncePer((snapshot) => {
  const {readings, node} = snapshot
  const kubelet = known(readings['kubelet.pods']) ?? []
  const api = known(readings['api.pods']) ?? []
  const owners = new Map<string, {pod: Pod; source: SourceName}>([
    ...api.flatMap((pod) => uidsOf(pod).map((uid) => [uid, {pod, source: 'api.pods'}] as const)),
    ...kubelet.flatMap((pod) => uidsOf(pod).map((uid) => [uid, {pod, source: 'kubelet.pods'}] as const)),
  ])
  const atKubelet = new Set(kubelet.flatMap(uidsOf))
  // --kubelet-url, a wrong name of the node: the list can be that of another node.
  const sandboxes = known(readings['runtime.sandboxes']) ?? []
  const isOurs =
    kubelet.some((pod) => node !== '' && pod.nodeName === node) || sandboxes.some(({metadata}) => atKubelet.has(metadata?.uid ?? ''))
  const apiTells = whole(readings['api.pods'])?.some((pod) => uidsOf(pod).some((uid) => atKubelet.has(uid))) ?? false
  const wouldList = kubeletWouldList(snapshot)
  const asked = readings['api.pods'].state === 'read' ? 'the kubelet and the API server were asked' : 'the kubelet was asked'
  return {
    pod: (uid) => owners.get(uid),
    gone: (uid) => isPodUid(uid) && !owners.has(uid) && isOurs && ((apiTells && !isStaticUid(uid)) || wouldList(uid)),
    evidence: (uid) => [
      {source: 'kubelet.pods', fact: `no pod has the UID ${uid}: ${asked}`},
      ...(apiTells ? [{source: 'api.pods', fact: `none of its pods has the UID ${uid}: ${api.length} listed`}] : []),
    ],
  }
})

/** The UIDs, in the order given, that the runtime has, that nobody owns, and that may still be somebody's. */
export function ownerDoubt(snapshot: Snapshot, uids: Iterable<string>): Unseen | undefined {
  const owners = podOwners(snapshot)
  const open = [...uids].filter((uid) => isPodUid(uid) && owners.pod(uid) === undefined && !owners.gone(uid))
  const [first] = open
  if (first === undefined) return undefined
  const lacks = open.length === 1 ? `the pod ${first}, which the runtime has` : `${open.length} pods that the runtime has`
  return {source: 'kubelet.pods', why: `it lacks ${lacks}, and nothing proves that it is this node's and whole: no pod can be called gone`}
}
