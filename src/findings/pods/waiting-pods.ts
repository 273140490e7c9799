// Pods that wait for their volumes, and how many of those are still to come.
import {oncePer} from '../../base/once-per.ts'
import type {Belief} from '../../kubelet/traces/reconstruct.ts'
import {nodeUid, type Pod} from '../../node/pod.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot, SourceName} from '../../node/snapshot.ts'
import {usable} from '../usable.ts'

export interface KnownPod {
  readonly pod: Pod
  /** Who told of it. */
  readonly source: SourceName
}

/**
 * The kubelet's pods, and those of this node that only the API server knows: a kubelet that has just started knows few.
 * Undefined when neither list can be relied on.
 */
export const knownPods: (snapshot: Snapshot) => readonly KnownPod[] | undefined = oncePer((snapshot) => {
  const sources = (['kubelet.pods', 'api.pods'] as const).filter((source) => usable(snapshot, source))
  if (sources.length === 0) return undefined
  return podsOf(snapshot, sources).filter(({pod, source}) => source === 'kubelet.pods' || isHere(pod, snapshot))
})

/** Each pod once, as the first source has it that tells of it. */
export function podsOf(snapshot: Snapshot, sources: readonly ('kubelet.pods' | 'api.pods')[]): readonly KnownPod[] {
  const byUid = new Map<string, KnownPod>()
  for (const source of sources) {
    for (const pod of known(snapshot.readings[source]) ?? []) {
      const uid = nodeUid(pod)
      if (!byUid.has(uid)) byUid.set(uid, {pod, source})
    }
  }
  return [...byUid.values()]
}

/** A pod that is not bound has no node yet. */
function isHere(pod: Pod, {node}: Snapshot): boolean {
  return pod.nodeName !== undefined && (node === '' || pod.nodeName === node)
}

/** What the kubelet writes for a container of which it has nothing else to say. */
export const unsaid: ReadonlySet<string | undefined> = new Set(['ContainerCreating', 'PodInitializing', undefined])

/** No container of it was ever made: the kubelet mounts every volume before the first one. */
export function waitsForVolumes(pod: Pod): boolean {
  if (pod.phase !== 'Pending') return false
  return pod.containers.every((container) => container.state === 'waiting' && unsaid.has(container.reason))
}

/** Claims of a pod of which not every one has an entry in its directory yet: nobody here can tell which. */
export function claimsToCome(pod: Pod, belief: Belief): readonly string[] {
  const claims = pod.volumes.flatMap((volume) => (volume.claim === undefined ? [] : [volume.claim]))
  return (belief.persistent.get(pod.uid) ?? 0) >= claims.length ? [] : claims
}
