// What the kubelet says of each pod, and our verdict in a few words: the two columns to the right of crictl's.

import {type Profile, profileNearest} from '../../kubelet/profiles.ts'
import {type Belief, type BelievedVolume, reconstruct} from '../../kubelet/traces/reconstruct.ts'
import {isOver, type Pod} from '../../node/pod.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {detect} from '../detect.ts'
import {detectors} from '../detectors.ts'
import {claimsToCome, waitsForVolumes} from './waiting-pods.ts'

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

export function podStandings(snapshot: Snapshot, profile: Profile = profileNearest(snapshot.kubeletVersion)): Standings {
  const pods = known(snapshot.readings['kubelet.pods'])
  const sandboxes = known(snapshot.readings['runtime.sandboxes'])
  if (pods === undefined) return {of: () => ({kubelet: '-', verdict: '-'}), withoutSandbox: []}
  const belief = reconstruct(snapshot, profile)
  const {findings} = detect(snapshot, profile, detectors)
  const byUid = new Map(pods.map((pod) => [pod.uid, pod]))
  const byPod = Map.groupBy(findings, ({subject}) => subject.podUid ?? subject.uid)
  const volumes = belief && Map.groupBy(belief.volumes, ({podUid}) => podUid)
  const withSandbox = new Set(sandboxes?.map((sandbox) => sandbox.metadata?.uid))
  return {
    of: (podUid) => {
      const pod = byUid.get(podUid)
      // An empty list is what a kubelet gives that has just started: it says nothing of any pod.
      if (pod === undefined) return {kubelet: pods.length === 0 ? '-' : 'unknown', verdict: '-'}
      const named = (byPod.get(podUid) ?? []).map(({code, name}) => `${code} ${name}`).join(', ')
      return {kubelet: kubeletWord(pod), verdict: named || verdictOf(pod, belief, volumes?.get(podUid))}
    },
    withoutSandbox: sandboxes === undefined ? [] : pods.filter((pod) => !withSandbox.has(pod.uid) && !isOver(pod)),
  }
}

function kubeletWord(pod: Pod): string {
  if (pod.deletedAt !== undefined) return 'Terminating'
  return pod.phase ?? '-'
}

function verdictOf(pod: Pod, belief: Belief | undefined, own: readonly BelievedVolume[] = []): string {
  if (!waitsForVolumes(pod) || belief === undefined) return '-'
  const toCome = claimsToCome(pod, belief)
  if (toCome.length > 0) return `waits for ${toCome.length > 1 ? 'one of ' : ''}${toCome.join(', ')}`
  if (own.length === 0) return '-'
  if (own.some((volume) => volume.published === false)) return 'waits for its volume to be published'
  if (own.some((volume) => volume.published === undefined)) return '-'
  const published = own.length === 1 ? 'volume is' : 'volumes are'
  return pod.deletedAt === undefined ? `waits although its ${published} published` : `its ${published} still published`
}
