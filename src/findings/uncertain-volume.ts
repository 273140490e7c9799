// The forgotten volumes that are uncertain, with their pods and evidence: what U01 and U02 have in common.
import {formatInstant} from '../base/instant.ts'
import type {ForgottenVolume} from '../kubelet/forgotten.ts'
import type {Belief} from '../kubelet/reconstruct.ts'
import {callPair} from '../kubelet/volumes/csi-counters.ts'
import type {Pod} from '../node/pod.ts'
import {known} from '../node/reading.ts'
import type {DetectContext} from './detector.ts'
import type {Evidence, Subject} from './finding.ts'
import {type CallStanding, callStanding} from './uncertain-call.ts'
import {claimsToCome, type PodView, podView, waitsForVolumes} from './waiting-pods.ts'

export interface UncertainVolume {
  readonly forgotten: ForgottenVolume
  readonly standing: CallStanding
  /** 'pv1', or 'volume <handle>' where nothing names it. */
  readonly label: string
  /** Absolute. */
  readonly path: string
  readonly subject: Subject
  /** 'for default/stage-0', or what is known of it. */
  readonly forWhom: string
  readonly evidence: readonly Evidence[]
}

type Method = 'NodeStageVolume' | 'NodePublishVolume'

export function uncertainVolumes(context: DetectContext, what: ForgottenVolume['what']): UncertainVolume[] {
  const {snapshot, belief} = context
  const view = podView(snapshot)
  if (belief === undefined || view === undefined) return []
  const method = what === 'staged' ? 'NodeStageVolume' : 'NodePublishVolume'
  return belief.forgotten.filter((each) => each.what === what).flatMap((each) => uncertain(context, each, method, belief, view) ?? [])
}

function uncertain(
  context: DetectContext,
  forgotten: ForgottenVolume,
  method: Method,
  belief: Belief,
  view: PodView,
): UncertainVolume | undefined {
  const {snapshot, trace, profile} = context
  const path = `${snapshot.kubeletRoot}/${forgotten.path}`
  const names = trace.names.filter((name) => name.handle === forgotten.handle && name.driver === forgotten.driver)
  const link = podsOf(forgotten, new Set(names.flatMap((name) => name.podUid ?? [])), belief, view)
  const wanted = link.pods.length > 0
  const standing = callStanding({method, path, trace, profile, now: snapshot.when, wanted, notBefore: notBefore(forgotten, link.pods)})
  if (standing === undefined) return undefined
  const specName = forgotten.specName ?? names[0]?.specName
  return {
    forgotten,
    standing,
    path,
    label: specName ?? `volume ${forgotten.handle ?? forgotten.path}`,
    forWhom: describeLink(link),
    subject: subjectOf(forgotten, specName, link, path),
    evidence: [
      ...diskEvidence(forgotten, specName),
      ...link.pods.map((pod) => ({source: view.source, fact: waitingFact(pod)})),
      ...logEvidence(standing, method),
      ...counterEvidence(context, forgotten, method),
    ],
  }
}

/** No attempt is older than its directory, nor than the oldest pod that can have asked for it. */
function notBefore(forgotten: ForgottenVolume, pods: readonly Pod[]): number | undefined {
  const created = pods.map((pod) => pod.createdAt)
  const oldest = created.length > 0 && created.every((each) => each !== undefined) ? [Math.min(...created)] : []
  const bounds = [...oldest, ...(forgotten.modifiedAt === undefined ? [] : [forgotten.modifiedAt])]
  return bounds.length === 0 ? undefined : Math.max(...bounds)
}

function subjectOf(forgotten: ForgottenVolume, specName: string | undefined, {pods}: PodLink, path: string): Subject {
  const {driver, handle} = forgotten
  const pod = pods.length === 1 ? pods[0] : undefined
  return {
    kind: 'Volume',
    ...(specName === undefined ? {} : {name: specName}),
    ...(pod === undefined ? {} : {namespace: pod.namespace, pod: pod.name, podUid: pod.uid}),
    ...(driver === undefined ? {} : {driver}),
    ...(handle === undefined ? {} : {handle}),
    path,
  }
}

interface PodLink {
  readonly pods: readonly Pod[]
  /** Something names the pod; else it is one that waits for a claim that may be this volume's. */
  readonly certain: boolean
}

function podsOf(forgotten: ForgottenVolume, namedUids: ReadonlySet<string>, belief: Belief, view: PodView): PodLink {
  const uids = forgotten.podUid === undefined ? namedUids : new Set([...namedUids, forgotten.podUid])
  const waiting = view.pods.filter(waitsForVolumes)
  const named = waiting.filter((pod) => uids.has(pod.uid))
  if (named.length > 0 || uids.size > 0) return {pods: named, certain: true}
  return {pods: waiting.filter((pod) => claimsToCome(pod, belief).length > 0), certain: false}
}

function describeLink({pods, certain}: PodLink): string {
  if (pods.length === 0) return 'for a pod that is gone'
  const names = pods.map((pod) => `${pod.namespace}/${pod.name}`).join(', ')
  return certain ? `for ${names}` : `perhaps for ${names}, which waits for a claim`
}

function waitingFact(pod: Pod): string {
  const claims = pod.volumes.flatMap((volume) => (volume.claim === undefined ? [] : [volume.claim]))
  const leaving = pod.deletedAt === undefined ? '' : `, deletion due since ${formatInstant(pod.deletedAt)}`
  return `${pod.namespace}/${pod.name} is ${pod.phase ?? 'without a phase'} and has no container${leaving}; claims: ${claims.join(', ') || 'none'}`
}

function diskEvidence(forgotten: ForgottenVolume, specName: string | undefined): Evidence[] {
  const begun = {source: 'disk.entries', fact: `${forgotten.path} is there`}
  if (forgotten.mode === 'block') {
    const link = `pods/${forgotten.podUid ?? '*'}/volumeDevices/kubernetes.io~csi/${specName ?? '*'}`
    return [begun, {source: 'disk.entries', fact: `${link} is not: the kubelet makes it last`}]
  }
  const data = `its vol_data.json names ${forgotten.driver}, ${forgotten.handle}; no vol_data.json of a pod does`
  return [begun, {source: 'disk.vol-data', fact: data}]
}

function logEvidence({call}: CallStanding, method: Method): Evidence[] {
  if (call === undefined) return []
  const began = `${method} was called at ${formatInstant(call.startedAt)}`
  const end =
    call.end.state === 'open'
      ? 'the log shows no answer'
      : `${call.end.state === 'ok' ? 'OK' : (call.end.code ?? 'an error without a code')} at ${formatInstant(call.end.at)}`
  return [{source: 'kubelet.log', fact: `${began}: ${end}`}]
}

function counterEvidence({snapshot}: DetectContext, forgotten: ForgottenVolume, method: Method): Evidence[] {
  const samples = known(snapshot.readings['kubelet.metrics'])
  if (samples === undefined || forgotten.driver === undefined) return []
  // A published block volume is staged, too: that pair is the one its own call cannot disturb.
  const pair = callPair(samples, forgotten.driver, 'NodeStageVolume')
  if (method === 'NodeStageVolume' || pair === undefined || pair.done <= pair.undone) return []
  const fact = `since the kubelet's start ${pair.done} NodeStageVolume of ${forgotten.driver} went well and ${pair.undone} NodeUnstageVolume`
  return [{source: 'kubelet.metrics', fact}]
}
