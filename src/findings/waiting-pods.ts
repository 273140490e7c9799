// Pods that wait for their volumes, and how many of those are still to come.
import {oncePer} from '../base/once-per.ts'
import type {Belief} from '../kubelet/reconstruct.ts'
import type {Pod} from '../node/pod.ts'
import {known} from '../node/reading.ts'
import type {Snapshot, SourceName} from '../node/snapshot.ts'

export interface PodView {
  readonly source: SourceName
  readonly pods: readonly Pod[]
}

/** The kubelet's view, else the API server's. Undefined when neither was read. */
export const podView: (snapshot: Snapshot) => PodView | undefined = oncePer((snapshot) => {
  for (const source of ['kubelet.pods', 'api.pods'] as const) {
    const pods = known(snapshot.readings[source])
    if (pods !== undefined) return {source, pods}
  }
  return undefined
})

/** Those of a view that wait for their volumes. */
export const waitingPods: (view: PodView) => readonly Pod[] = oncePer(({pods}) => pods.filter(waitsForVolumes))

/** No container of it was ever made: the kubelet mounts every volume before the first one. */
export function waitsForVolumes(pod: Pod): boolean {
  const reasons = new Set(['ContainerCreating', 'PodInitializing', undefined])
  if (pod.phase !== 'Pending') return false
  return pod.containers.every((container) => container.state === 'waiting' && reasons.has(container.reason))
}

/** Claims of a pod that no entry of its directory accounts for yet. */
export function claimsToCome(pod: Pod, belief: Belief): readonly string[] {
  const claims = pod.volumes.flatMap((volume) => (volume.claim === undefined ? [] : [volume.claim]))
  const here = persistentCounts(belief).get(pod.uid) ?? 0
  return here >= claims.length ? [] : claims
}

const persistentCounts: (belief: Belief) => ReadonlyMap<string, number> = oncePer(({volumes}) => {
  const counts = new Map<string, number>()
  for (const {podUid, ephemeral} of volumes) if (!ephemeral) counts.set(podUid, (counts.get(podUid) ?? 0) + 1)
  return counts
})
