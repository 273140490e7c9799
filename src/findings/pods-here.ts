// Which pods somebody knows, and which are gone.
import {once} from '../base/once.ts'
import type {Pod} from '../node/pod.ts'
import {known, whole} from '../node/reading.ts'
import type {DetectContext} from './detector.ts'

export interface PodsHere {
  /** As the kubelet has it, else as the API server does. */
  pod(uid: string): Pod | undefined
  /** Neither the kubelet nor the runtime nor, where it was asked, the API server knows it, and their lists can be trusted. */
  gone(uid: string): boolean
  /** False when nothing may be called gone: a list is not whole, or is that of a kubelet that has just started. */
  readonly trusted: boolean
}

/** From the start of the kubelet to its list of pods: it has those of files first and those of the API server a moment later. */
const settlingMs = 60_000

export const podsHere = once(({snapshot, trace}: DetectContext): PodsHere => {
  const {readings, when} = snapshot
  const ofKubelet = known(readings['kubelet.pods']) ?? []
  const byUid = new Map([...(known(readings['api.pods']) ?? []), ...ofKubelet].map((pod) => [pod.uid, pod]))
  const sandboxes = whole(readings['runtime.sandboxes'])
  // A label where the metadata is missing: whoever made the sandbox need not be a kubelet.
  const running = [...(sandboxes ?? []), ...(known(readings['runtime.containers']) ?? [])]
  const ofRuntime = new Set([
    ...running.flatMap(({labels}) => labels['io.kubernetes.pod.uid'] ?? []),
    ...(sandboxes ?? []).flatMap(({metadata}) => metadata?.uid ?? []),
  ])
  const fromApi = ofKubelet.some(({configSource}) => configSource !== 'file' && configSource !== 'http')
  const settled = trace.starts.every((start) => when - start >= settlingMs)
  const trusted = whole(readings['kubelet.pods']) !== undefined && sandboxes !== undefined && fromApi && settled
  return {
    pod: (uid) => byUid.get(uid),
    gone: (uid) => trusted && !byUid.has(uid) && !ofRuntime.has(uid),
    trusted,
  }
})

/** 'default/web-0', or what is known of it. */
export function podName(pods: PodsHere, uid: string): string {
  const pod = pods.pod(uid)
  return pod === undefined ? `pod ${uid}` : `${pod.namespace}/${pod.name}`
}
