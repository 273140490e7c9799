// Pods that wait for their volumes, and how many of those are still to come.
import type {Belief} from '../kubelet/reconstruct.ts'
import type {Pod} from '../node/pod.ts'
import {known} from '../node/reading.ts'
import type {Snapshot, SourceName} from '../node/snapshot.ts'

export interface PodView {
  readonly source: SourceName
  readonly pods: readonly Pod[]
}

/** The kubelet's view, else the API server's. Undefined when neither was read. */
export function podView(snapshot: Snapshot): PodView | undefined {
  for (const source of ['kubelet.pods', 'api.pods'] as const) {
    const pods = known(snapshot.readings[source])
    if (pods !== undefined) return {source, pods}
  }
  return undefined
}

/** No container of it was ever made: the kubelet mounts every volume before the first one. */
export function waitsForVolumes(pod: Pod): boolean {
  const reasons = new Set(['ContainerCreating', 'PodInitializing', undefined])
  if (pod.phase !== 'Pending') return false
  return pod.containers.every((container) => container.state === 'waiting' && reasons.has(container.reason))
}

/** Claims of a pod that no entry of its directory accounts for yet. */
export function claimsToCome(belief: Belief): (pod: Pod) => readonly string[] {
  const here = new Map<string, number>()
  for (const {podUid, ephemeral} of belief.volumes) if (!ephemeral) here.set(podUid, (here.get(podUid) ?? 0) + 1)
  return (pod) => {
    const claims = pod.volumes.flatMap((volume) => (volume.claim === undefined ? [] : [volume.claim]))
    return (here.get(pod.uid) ?? 0) >= claims.length ? [] : claims
  }
}
