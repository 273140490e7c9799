// What a DELETE makes of a pod. Pure. Upstream: apiserver registry/rest/delete.go (as of today: a shortened grace does not end in the past),
// registry/generic/registry/store.go, and CheckGracefulDelete of pods in pkg/registry/core/pod/strategy.go.
import type {Pod} from '../../kubelet/pod.ts'

export interface Deletion {
  /** The pod as it is written; the same object when nothing is. */
  readonly pod: Pod
  /** It goes right after that: a watcher sees both. */
  readonly removed: boolean
}

/** @param requested seconds; absent: the pod's own. Negative ones count as 1. */
export function deletion(pod: Pod, requested: number | undefined, now: number): Deletion {
  const held = (pod.metadata.finalizers?.length ?? 0) > 0
  const wanted = requested !== undefined && requested < 0 ? 1 : requested
  if (pod.metadata.deletionTimestamp === undefined) {
    const grace = isTerminal(pod) ? 0 : (wanted ?? pod.spec.terminationGracePeriodSeconds)
    return {pod: deleting(pod, now + grace * 1000, grace), removed: grace === 0 && !held}
  }
  const {deletionTimestamp, deletionGracePeriodSeconds = 0} = pod.metadata
  // Its grace is over: finalizers alone keep it.
  if (deletionGracePeriodSeconds === 0) return {pod, removed: !held}
  // Once asked for, a deletion may only be made shorter.
  if (wanted === undefined || wanted >= deletionGracePeriodSeconds) return {pod, removed: false}
  const moved = deletionTimestamp + (wanted - deletionGracePeriodSeconds) * 1000
  const past = moved < now
  return {pod: deleting(pod, past ? now : moved, past && wanted !== 0 ? 1 : wanted), removed: wanted === 0 && !held}
}

/** A pod that has lost its last finalizer when its grace was over goes. */
export const goesWithItsFinalizers = ({metadata: {deletionTimestamp, deletionGracePeriodSeconds = 0}}: Pod): boolean =>
  deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0

const isTerminal = ({status: {phase}}: Pod): boolean => phase === 'Failed' || phase === 'Succeeded'

function deleting(pod: Pod, moment: number, deletionGracePeriodSeconds: number): Pod {
  const deletionTimestamp = Math.floor(moment / 1000) * 1000
  return {...pod, metadata: {...pod.metadata, deletionTimestamp, deletionGracePeriodSeconds}}
}
