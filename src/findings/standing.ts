// What the kubelet says of each pod, and our verdict in a few words: the two columns to the right of crictl's.
import type {Pod} from '../node/pod.ts'
import type {Snapshot} from '../node/snapshot.ts'

export interface PodStanding {
  /** Such as 'Running', 'Pending', 'Terminating'; '-' when the kubelet's view was not read. */
  readonly kubelet: string
  /** A few words; '-' when there is nothing to say or not enough was seen. */
  readonly verdict: string
}

export interface Standings {
  of(podUid: string): PodStanding
  /** Pods that the kubelet knows and for which the runtime has no sandbox. Empty when either was not read. */
  readonly withoutSandbox: readonly Pod[]
}

export function podStandings(_snapshot: Snapshot): Standings {
  return {of: () => ({kubelet: '-', verdict: '-'}), withoutSandbox: []}
}
