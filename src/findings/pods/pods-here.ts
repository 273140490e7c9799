// Which pods are gone: nobody who was asked knows them, and those who were asked can tell.
import {oncePer} from '../../base/once-per.ts'
import type {Pod} from '../../node/pod.ts'
import {known, whole} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {DetectContext, Unseen} from '../detector.ts'
import {isPodUid, podPresence} from './pod-presence.ts'

export interface PodsHere {
  /** Whoever tells of it, the kubelet first. */
  pod(uid: string): Pod | undefined
  gone(uid: string): boolean
  /** Why nothing may be called gone. */
  readonly doubt: Unseen | undefined
}

/** From the start of the kubelet to its list of pods: it has those of files first and those of the API server a moment later. */
const settlingMs = 60_000

export const podsHere: (context: DetectContext) => PodsHere = oncePer((context) => {
  const {knows, pod, doubt} = podPresence(context.snapshot)
  const reason = doubt ?? startDoubt(context)
  return {pod, gone: (uid) => reason === undefined && isPodUid(uid) && !knows(uid), doubt: reason}
})

function startDoubt({snapshot, trace}: DetectContext): Unseen | undefined {
  const source = 'kubelet.pods'
  const pods = known(snapshot.readings[source]) ?? []
  if (pods.every(isOfFile) && !hasOnlyMirrors(snapshot, pods))
    return {source, why: 'it lists no pod of the API server, as right after the start of the kubelet: no pod can be called gone'}
  const process = snapshot.kubeletProcess?.startedAt
  const starts = process === undefined ? trace.starts : [...trace.starts, process]
  const start = starts.findLast((at) => snapshot.when - at < settlingMs)
  return start === undefined ? undefined : {source, why: 'the kubelet has just started: no pod can be called gone'}
}

function isOfFile({configSource}: Pod): boolean {
  return configSource === 'file' || configSource === 'http'
}

/** A node whose pods are all static, such as a fresh control plane: the mirror of one shows that the API server was asked of this node. */
function hasOnlyMirrors({readings}: Snapshot, pods: readonly Pod[]): boolean {
  const atApi = whole(readings['api.pods']) ?? []
  const uids = new Set(pods.map(({uid}) => uid))
  return atApi.every(({staticUid}) => staticUid !== undefined) && atApi.some(({staticUid = ''}) => uids.has(staticUid))
}

/** 'default/web-0', or what is known of it. */
export function podName(pods: PodsHere, uid: string): string {
  const pod = pods.pod(uid)
  return pod === undefined ? `pod ${uid}` : `${pod.namespace}/${pod.name}`
}
