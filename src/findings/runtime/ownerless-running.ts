// What runs on the node and has nobody who would stop it: by pod, with how long that has been so.
import {oncePer} from '../../base/once-per.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Container} from '../../wire/gen/cri_pb.ts'
import type {Evidence} from '../finding.ts'
import {podOwners} from '../pods/pod-owners.ts'
import {cleaningUp} from './cleaning-up.ts'
import {type ForgottenContainer, forgottenContainers} from './forgotten-processes.ts'
import {goneSince} from './gone-since.ts'
import {livingContainers} from './living-containers.ts'
import {stopAsked} from './stop-asked.ts'
import {unownedPods} from './unowned-pods.ts'

export interface OwnerlessRunning {
  readonly uid: string
  readonly namespace: string | undefined
  readonly name: string | undefined
  /** The runtime calls them RUNNING, and nobody has their pod. */
  readonly running: readonly Container[]
  /** The runtime does not list them. */
  readonly forgotten: readonly ForgottenContainer[]
  /** Nobody has the pod; else only its container is forgotten. */
  readonly gone: boolean
  /** Milliseconds since 1970 since when that is so at least. */
  readonly since: number | undefined
  /** It should have ended long ago, by the age of its pod or as it was told to, and the kubelet has had the time to see to it. */
  readonly overdue: boolean
  readonly evidence: readonly Evidence[]
}

/** A stop that hangs holds the kubelet for the grace and two minutes (kubelet-behaviour: runtimeRequestTimeout). */
const stopMs = 120_000
/** What pods have that say nothing of it (terminationGracePeriodSeconds). */
const usualGraceMs = 30_000

export const ownerlessRunning: (snapshot: Snapshot) => readonly OwnerlessRunning[] = oncePer((snapshot) => {
  const forgotten = Map.groupBy(forgottenContainers(snapshot), ({podUid}) => podUid)
  const {evidence} = livingContainers(snapshot)
  const unowned = unownedPods(snapshot).filter(({running}) => running.length > 0)
  const named = unowned.map((pod): OwnerlessRunning => {
    const {uid, namespace, name, running, goneForMs, since} = pod
    const own = forgotten.get(uid) ?? []
    const asked = running.flatMap((each) => {
      const stop = stopAsked(snapshot, each)
      return stop === undefined ? [] : [{...stop, dueAt: stop.at + graceMs(each) + stopMs}]
    })
    const tooLong = goneForMs !== undefined && goneForMs >= Math.max(...running.map(graceMs)) + stopMs
    const unheard = cleaningUp(snapshot).had && asked.some(({dueAt}) => dueAt <= snapshot.when)
    return {
      ...{uid, namespace, name, running, forgotten: own, gone: true, since: since?.at},
      overdue: tooLong || unheard,
      evidence: [...[...asked, ...own].map((each) => each.evidence), ...running.flatMap(evidence), ...pod.evidence],
    }
  })
  const told = new Set(unowned.map(({uid}) => uid))
  return [...named, ...[...forgotten].flatMap(([uid, own]) => (told.has(uid) ? [] : [ofForgotten(snapshot, uid, own)]))]
})

function ofForgotten(snapshot: Snapshot, uid: string, forgotten: readonly ForgottenContainer[]): OwnerlessRunning {
  const owners = podOwners(snapshot)
  const owner = owners.pod(uid)
  const gone = owners.gone(uid)
  const startedAt = Math.max(...forgotten.map((each) => each.startedAt))
  const since = gone ? goneSince(snapshot, {uid, namespace: undefined, name: undefined, bornAt: startedAt, hadAt: startedAt}) : undefined
  const kubelet = cleaningUp(snapshot)
  const common = {uid, namespace: owner?.pod.namespace, name: owner?.pod.name, running: [], forgotten, gone, since: since?.at}
  const seen = forgotten.map((each) => each.evidence)
  if (gone)
    return {
      ...common,
      overdue: kubelet.had && since !== undefined && snapshot.when - since.at >= usualGraceMs + stopMs,
      evidence: [...seen, ...owners.evidence(uid), ...(since === undefined ? [] : [since.evidence]), ...kubelet.evidence],
    }
  // Of a pod that goes, the record may have gone between the two readings; of one that stays, the kubelet keeps the newest record of each name.
  const old = snapshot.when - startedAt >= stopMs
  const stays = owner?.source === 'kubelet.pods' && (owner.pod.deletedAt === undefined || snapshot.when - owner.pod.deletedAt >= stopMs)
  const fact = `${owner?.pod.namespace}/${owner?.pod.name} has the UID ${uid}`
  return {...common, overdue: old && stays, evidence: [...seen, ...(owner === undefined ? [] : [{source: owner.source, fact}])]}
}

/** Annotations of the kubelet's (kuberuntime labels.go): a deletion may have given it less or more than its spec. */
function graceMs({annotations}: Container): number {
  const seconds = ['io.kubernetes.pod.terminationGracePeriod', 'io.kubernetes.pod.deletionGracePeriod'].map((key) =>
    Number(annotations[key]),
  )
  const given = seconds.filter((each) => Number.isFinite(each) && each >= 0)
  return given.length === 0 ? usualGraceMs : Math.max(...given) * 1000
}
