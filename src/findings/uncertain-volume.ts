// The forgotten volumes that are uncertain, with their pods and evidence: what U01 and U02 have in common.
import type {ForgottenVolume} from '../kubelet/forgotten.ts'
import type {Belief} from '../kubelet/reconstruct.ts'
import type {CsiCall} from '../kubelet/volumes/csi-calls.ts'
import {errorClass} from '../kubelet/volumes/error-class.ts'
import type {VolumeName} from '../kubelet/volumes/volume-names.ts'
import {uniqueVolumeName} from '../node/layout.ts'
import type {Pod} from '../node/pod.ts'
import type {SourceName} from '../node/snapshot.ts'
import type {DetectContext} from './detector.ts'
import type {Evidence, Subject} from './finding.ts'
import {type CallStanding, callStanding} from './uncertain-call.ts'
import {counterEvidence, diskEvidence, logEvidence, podEvidence} from './uncertain-evidence.ts'
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
  const onDisk = belief.forgotten.filter((each) => each.what === what)
  const shared = sharedBy(context, belief, view)
  return [
    ...onDisk.flatMap((each) => uncertain(context, each, method, {...shared, onDisk: true}) ?? []),
    ...timedOut(context, method, belief).flatMap((each) => uncertain(context, each, method, {...shared, onDisk: false}) ?? []),
  ]
}

/** What is the same for every candidate, found once: a node may have thousands. */
interface Shared {
  readonly source: SourceName
  readonly waiting: ReadonlyMap<string, Pod>
  /** Pods that wait for claims of which no entry is there yet. */
  readonly expecting: readonly Pod[]
  /** By unique volume name. */
  readonly names: ReadonlyMap<string, readonly VolumeName[]>
  /** By path. */
  readonly calls: ReadonlyMap<string, readonly CsiCall[]>
}

function sharedBy({trace}: DetectContext, belief: Belief, {pods, source}: PodView): Shared {
  const waiting = pods.filter(waitsForVolumes)
  const toCome = claimsToCome(belief)
  return {
    source,
    waiting: new Map(waiting.map((pod) => [pod.uid, pod])),
    expecting: waiting.filter((pod) => toCome(pod).length > 0),
    names: Map.groupBy(trace.names, ({driver, handle}) => uniqueVolumeName(driver, handle)),
    calls: Map.groupBy(trace.calls, ({path}) => path),
  }
}

/** Calls whose last end in the log is uncertain, of volumes that the disk no longer shows (kubelets up to 1.17 remove the directories) or shows as a pod's. */
function timedOut({snapshot, trace}: DetectContext, method: Method, belief: Belief): ForgottenVolume[] {
  const root = `${snapshot.kubeletRoot}/`
  const seen = new Set(belief.forgotten.map(({path}) => root + path))
  const held = new Set(belief.volumes.flatMap((volume) => (volume.published ? [volume.handle] : [])))
  const names = new Map(trace.names.toReversed().map((each) => [each.handle, each]))
  const last = new Map(trace.calls.filter((call) => call.method === method).map((call) => [call.path, call]))
  const open = [...last.values()].filter(({end, path, handle}) => {
    const uncertain = end.state === 'failed' && errorClass(end.code) === 'uncertain'
    return uncertain && path.startsWith(root) && !seen.has(path) && !held.has(handle)
  })
  return open.map(({path, handle}) => {
    const name = names.get(handle)
    return {
      what: method === 'NodeStageVolume' ? 'staged' : 'published',
      mode: path.includes('/volumeDevices/') ? 'block' : 'filesystem',
      path: path.slice(root.length),
      specName: name?.specName,
      driver: name?.driver,
      handle,
      podUid: undefined,
      modifiedAt: undefined,
    }
  })
}

function uncertain(
  context: DetectContext,
  forgotten: ForgottenVolume,
  method: Method,
  shared: Shared & {readonly onDisk: boolean},
): UncertainVolume | undefined {
  const {snapshot, trace, profile} = context
  const {driver, handle} = forgotten
  const path = `${snapshot.kubeletRoot}/${forgotten.path}`
  const names = driver === undefined || handle === undefined ? [] : (shared.names.get(uniqueVolumeName(driver, handle)) ?? [])
  const link = podsOf(forgotten, new Set(names.flatMap((name) => name.podUid ?? [])), shared)
  const wanted = link.pods.length > 0
  const calls = shared.calls.get(path) ?? []
  const standing = callStanding({
    method,
    calls,
    starts: trace.starts,
    profile,
    now: snapshot.when,
    wanted,
    notBefore: notBefore(forgotten, link.pods),
  })
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
      ...(shared.onDisk ? diskEvidence(forgotten, specName) : []),
      ...podEvidence(link.pods, shared.source),
      ...logEvidence(standing, method),
      ...counterEvidence(snapshot, forgotten),
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

function podsOf(forgotten: ForgottenVolume, namedUids: ReadonlySet<string>, {waiting, expecting}: Shared): PodLink {
  const uids = forgotten.podUid === undefined ? namedUids : new Set([...namedUids, forgotten.podUid])
  if (uids.size > 0) return {pods: [...uids].flatMap((uid) => waiting.get(uid) ?? []), certain: true}
  return {pods: expecting, certain: false}
}

function describeLink({pods, certain}: PodLink): string {
  if (pods.length === 0) return 'for a pod that is gone'
  const names = pods.map((pod) => `${pod.namespace}/${pod.name}`).join(', ')
  return certain ? `for ${names}` : `perhaps for ${names}, which waits for a claim`
}
