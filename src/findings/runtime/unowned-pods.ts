// Pods of which the runtime has something and that neither the kubelet nor the API server has: R02 by their sandboxes, R03 by what runs.
import {oncePer} from '../../base/once-per.ts'
import {known, whole} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Container, PodSandbox} from '../../wire/gen/cri_pb.ts'
import type {Unseen} from '../detector.ts'
import type {Evidence, Subject} from '../finding.ts'
import {ownerDoubt, podOwners} from '../pods/pod-owners.ts'
import {podPresence} from '../pods/pod-presence.ts'
import {cleaningUp} from './cleaning-up.ts'
import {type GoneSince, goneSince, type RuntimePod} from './gone-since.ts'
import {labelledPod, labelledUid} from './kubelets-own.ts'
import {livingContainers} from './living-containers.ts'
import {plausibleMoment} from './runtime-moments.ts'

export interface UnownedPod extends Omit<RuntimePod, 'hadAt'> {
  readonly sandboxes: readonly PodSandbox[]
  /** Those with a process. */
  readonly running: readonly Container[]
  readonly since: GoneSince | undefined
  /** Milliseconds for which it is gone at least; undefined when nothing tells, or the kubelet has not had the time yet to clean up. */
  readonly goneForMs: number | undefined
  /** That nobody has it, and since when. */
  readonly evidence: readonly Evidence[]
}

/** What is younger is still being made, or was made between two readings; and the kubelet removes sandboxes once a minute. */
const youngMs = 120_000

export const unownedPods: (snapshot: Snapshot) => readonly UnownedPod[] = oncePer((snapshot) => {
  const owners = podOwners(snapshot)
  const bySandbox = Map.groupBy(known(snapshot.readings['runtime.sandboxes']) ?? [], (each) => labelledUid(each) ?? '')
  const {byPod} = livingContainers(snapshot)
  return [...new Set([...bySandbox.keys(), ...byPod.keys()])]
    .filter((uid) => owners.gone(uid))
    .map((uid) => podOf(snapshot, uid, distinct(bySandbox.get(uid) ?? []), byPod.get(uid) ?? []))
    .filter(({bornAt}) => bornAt === undefined || snapshot.when - bornAt >= youngMs)
})

function podOf(snapshot: Snapshot, uid: string, sandboxes: readonly PodSandbox[], running: readonly Container[]): UnownedPod {
  const all = [...sandboxes, ...running]
  const bornAt = newest(sandboxes.length > 0 ? sandboxes : running, snapshot.when)
  const {namespace, name} = all.map(labelledPod).find((each) => each.name !== undefined) ?? {}
  const since = goneSince(snapshot, {uid, namespace, name, bornAt, hadAt: lastHad(snapshot, uid, bornAt)})
  const kubelet = cleaningUp(snapshot)
  return {
    ...{uid, namespace, name, bornAt, sandboxes, running, since},
    goneForMs: kubelet.had && since !== undefined ? snapshot.when - since.at : undefined,
    evidence: [...podOwners(snapshot).evidence(uid), ...(since === undefined ? [] : [since.evidence]), ...kubelet.evidence],
  }
}

/** Only the kubelet makes containers, and only while it has the pod. One that came back with a time that cannot be tells nothing. */
function lastHad(snapshot: Snapshot, uid: string, bornAt: number | undefined): number | undefined {
  const containers = containersByPod(snapshot)
  if (bornAt === undefined || containers === undefined) return undefined
  return Math.max(bornAt, ...(containers.get(uid) ?? []).flatMap(({createdAt}) => plausibleMoment(createdAt, snapshot.when) ?? []))
}

const containersByPod: (snapshot: Snapshot) => ReadonlyMap<string, readonly Container[]> | undefined = oncePer(({readings}) => {
  const containers = whole(readings['runtime.containers'])
  return containers && Map.groupBy(containers, (each) => labelledUid(each) ?? '')
})

/** Undefined when one of them cannot be told. */
function newest(items: readonly {readonly createdAt: bigint}[], when: number): number | undefined {
  const moments = items.flatMap(({createdAt}) => plausibleMoment(createdAt, when) ?? [])
  return moments.length < items.length ? undefined : Math.max(...moments)
}

/** Why nothing at the runtime can be called nobody's. */
export function listDoubt({snapshot}: {readonly snapshot: Snapshot}): Unseen | undefined {
  return podPresence(snapshot).doubt
}

/** What could not be judged although others could. */
export function uidDoubt({snapshot}: {readonly snapshot: Snapshot}): Unseen | undefined {
  const {readings, when} = snapshot
  const settled = (known(readings['runtime.sandboxes']) ?? []).filter(({createdAt}) => {
    const moment = plausibleMoment(createdAt, when)
    return moment === undefined || when - moment >= youngMs
  })
  return ownerDoubt(snapshot, new Set(settled.flatMap((each) => labelledUid(each) ?? [])))
}

export function unownedSubject({uid, namespace, name}: Pick<UnownedPod, 'uid' | 'namespace' | 'name'>): Subject {
  return {kind: 'Pod', ...(namespace && {namespace}), ...(name && {name}), uid}
}

/** 'shop/web-0 (UID)', or what is known of it. */
export function podWords({uid, namespace, name}: Pick<UnownedPod, 'uid' | 'namespace' | 'name'>): string {
  return name === undefined ? uid : `${namespace ?? ''}/${name} (${uid})`
}

function distinct<T extends {readonly id: string}>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}
