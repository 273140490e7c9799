// Sandboxes that a newer one of the same pod has taken the place of, and that have no container any more: the kubelet removes those once a minute.
import {oncePer} from '../../base/once-per.ts'
import {known, whole} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {PodSandbox} from '../../wire/gen/cri_pb.ts'
import type {Evidence} from '../finding.ts'
import {podOwners} from '../pods/pod-owners.ts'
import {cleaningUp} from './cleaning-up.ts'
import {labelledUid} from './kubelets-own.ts'
import {plausibleMoment} from './runtime-moments.ts'
import {isReady} from './sandbox-words.ts'

export interface ReplacedSandboxes {
  readonly uid: string
  readonly sandboxes: readonly PodSandbox[]
  /** Milliseconds since 1970 at which the one that took their place was made. */
  readonly at: number
  /** Milliseconds; undefined when the kubelet has not had the time yet to clean up. */
  readonly forMs: number | undefined
  readonly evidence: readonly Evidence[]
}

/** Of pods that somebody has. Empty when the containers are not known. */
export const replacedSandboxes: (snapshot: Snapshot) => readonly ReplacedSandboxes[] = oncePer((snapshot) => {
  const {readings} = snapshot
  const containers = whole(readings['runtime.containers'])
  if (containers === undefined) return []
  const inUse = new Set(containers.map(({podSandboxId}) => podSandboxId))
  const byPod = Map.groupBy(new Map((known(readings['runtime.sandboxes']) ?? []).map((each) => [each.id, each])).values(), labelledUid)
  const owners = podOwners(snapshot)
  return [...byPod].flatMap(([uid, all]) => {
    const owner = uid === undefined ? undefined : owners.pod(uid)
    if (uid === undefined || owner === undefined) return []
    const found = ofPod(snapshot, uid, all, inUse)
    const fact = `${owner.pod.namespace}/${owner.pod.name} has the UID ${uid}`
    return found === undefined ? [] : [{...found, evidence: [...found.evidence, {source: owner.source, fact}]}]
  })
})

function ofPod(snapshot: Snapshot, uid: string, all: readonly PodSandbox[], inUse: ReadonlySet<string>): ReplacedSandboxes | undefined {
  const {when} = snapshot
  const dated = all.map((sandbox) => ({sandbox, at: plausibleMoment(sandbox.createdAt, when), attempt: sandbox.metadata?.attempt ?? 0}))
  const newest = dated.reduce((a, b) => ((b.at ?? 0) > (a.at ?? 0) ? b : a))
  if (newest.at === undefined || !isReady(newest.sandbox)) return undefined
  // Where attempts and times disagree, a clock was set (R10), and nobody can tell which is the older one.
  const {at} = newest
  const older = dated.filter(
    (each) => each.at !== undefined && each.at < at && each.attempt < newest.attempt && !inUse.has(each.sandbox.id),
  )
  if (older.length === 0) return undefined
  const kubelet = cleaningUp(snapshot)
  return {
    ...{uid, at, sandboxes: older.map(({sandbox}) => sandbox)},
    forMs: kubelet.had ? when - at : undefined,
    evidence: [
      {source: 'runtime.sandboxes', fact: `${newest.sandbox.id} of the same pod is READY, attempt ${newest.attempt}`},
      {source: 'runtime.containers', fact: `no container is in ${older.map(({sandbox}) => sandbox.id).join(', ')}`},
      ...kubelet.evidence,
    ],
  }
}
