// The volumes that are uncertain, with their pods and evidence: what U01 and U02 have in common.
import {oncePer} from '../../base/once-per.ts'
import type {ForgottenVolume} from '../../kubelet/traces/forgotten.ts'
import type {Belief} from '../../kubelet/traces/reconstruct.ts'
import type {Trace} from '../../kubelet/traces/trace.ts'
import type {VolumeName} from '../../kubelet/volumes/volume-names.ts'
import {isOver} from '../../node/pod.ts'
import type {DetectContext} from '../detector.ts'
import type {Evidence, Subject} from '../finding.ts'
import {possibleUsers} from '../pods/possible-users.ts'
import {type KnownPod, knownPods, waitsForVolumes} from '../pods/waiting-pods.ts'
import {type TimedOutVolume, timedOutVolumes} from './timed-out-volume.ts'
import {type CallStanding, callStanding} from './uncertain-call.ts'
import {counterEvidence, diskEvidence, logEvidence, podEvidence} from './uncertain-evidence.ts'

export interface UncertainVolume {
  readonly volume: ForgottenVolume | TimedOutVolume
  readonly standing: CallStanding
  /** 'pv1', or 'volume <handle>' where nothing names it. */
  readonly label: string
  /** Absolute; undefined when only the log tells of the volume. */
  readonly path: string | undefined
  readonly subject: Subject
  /** 'for default/stage-0', or what is known of it. */
  readonly forWhom: string
  readonly evidence: readonly Evidence[]
}

export function uncertainVolumes(context: DetectContext, what: ForgottenVolume['what']): UncertainVolume[] {
  const pods = knownPods(context.snapshot)
  const {belief} = context
  if (belief === undefined || pods === undefined) return []
  const candidates = [...belief.forgotten.filter((each) => each.what === what), ...timedOutVolumes(context, what, belief)]
  return candidates.flatMap((each) => uncertain(context, each, belief, pods) ?? [])
}

type Candidate = ForgottenVolume | TimedOutVolume

function uncertain(context: DetectContext, candidate: Candidate, belief: Belief, pods: readonly KnownPod[]): UncertainVolume | undefined {
  const {snapshot, trace, profile} = context
  const {driver, handle} = candidate
  const names = namesByVolume(trace).get(`${driver}^${handle}`) ?? []
  const specName = candidate.specName ?? names[0]?.specName
  const link = podsOf(context, candidate, new Set(names.flatMap((name) => name.podUid ?? [])), pods)
  if (link === undefined || isUnreadable(belief, specName, link)) return undefined
  const path = candidate.path === undefined ? undefined : `${snapshot.kubeletRoot}/${candidate.path}`
  const method = candidate.what === 'staged' ? 'NodeStageVolume' : 'NodePublishVolume'
  const standing = callStanding({
    method,
    driver,
    handle,
    path,
    podUid: candidate.podUid,
    trace,
    profile,
    now: snapshot.when,
    wanted: link.pods.length > 0,
    notBefore: notBefore(candidate, link.pods),
  })
  if (standing === undefined) return undefined
  return {
    volume: candidate,
    standing,
    path,
    label: specName ?? `volume ${handle ?? candidate.path}`,
    forWhom: describeLink(link),
    subject: subjectOf(candidate, specName, link, path),
    evidence: [
      ...('modifiedAt' in candidate ? diskEvidence(candidate, specName) : []),
      ...podEvidence(link.pods),
      ...logEvidence(standing),
      ...counterEvidence(snapshot, candidate),
    ],
  }
}

/** Its entry in the pod's directory is there and cannot be read: the kubelet has it, or will say so itself. */
function isUnreadable(belief: Belief, specName: string | undefined, {pods}: PodLink): boolean {
  return belief.unreadable.some((entry) => entry.specName === specName || pods.some(({pod}) => pod.uid === entry.podUid))
}

/** No attempt is older than its directory, nor than the oldest pod that can have asked for it. */
function notBefore(candidate: Candidate, pods: readonly KnownPod[]): number | undefined {
  const created = pods.map(({pod}) => pod.createdAt)
  const oldest = created.length > 0 && created.every((each) => each !== undefined) ? [Math.min(...created)] : []
  const modifiedAt = 'modifiedAt' in candidate ? candidate.modifiedAt : undefined
  const bounds = [...oldest, ...(modifiedAt === undefined ? [] : [modifiedAt])]
  return bounds.length === 0 ? undefined : Math.max(...bounds)
}

function subjectOf(candidate: Candidate, specName: string | undefined, {pods, certain}: PodLink, path: string | undefined): Subject {
  const {driver, handle} = candidate
  const pod = certain && pods.length === 1 ? pods[0]?.pod : undefined
  return {
    kind: 'Volume',
    ...(specName === undefined ? {} : {name: specName}),
    ...(pod === undefined ? {} : {namespace: pod.namespace, pod: pod.name, podUid: pod.uid}),
    ...(driver === undefined ? {} : {driver}),
    ...(handle === undefined ? {} : {handle}),
    ...(path === undefined ? {} : {path}),
  }
}

interface PodLink {
  readonly pods: readonly KnownPod[]
  /** Something names the pod; else it is one that waits for a claim that may be this volume's. */
  readonly certain: boolean
}

/** Undefined when a pod of the volume is past waiting: then the kubelet has it. */
function podsOf(
  context: DetectContext,
  candidate: Candidate,
  namedUids: ReadonlySet<string>,
  pods: readonly KnownPod[],
): PodLink | undefined {
  const uids = candidate.podUid === undefined ? namedUids : new Set([...namedUids, candidate.podUid])
  const named = [...uids].flatMap((uid) => podsByUid(pods).get(uid) ?? [])
  if (named.some(({pod}) => !waitsForVolumes(pod) && !isOver(pod))) return undefined
  const waiting = named.filter(({pod}) => waitsForVolumes(pod))
  if (uids.size > 0) return {pods: waiting, certain: true}
  return {pods: waitingUsers(context), certain: false}
}

const podsByUid: (pods: readonly KnownPod[]) => ReadonlyMap<string, KnownPod> = oncePer(
  (pods) => new Map(pods.map((each) => [each.pod.uid, each])),
)

const waitingUsers: (context: DetectContext) => readonly KnownPod[] = oncePer((context) =>
  possibleUsers(context).filter(({pod}) => waitsForVolumes(pod)),
)

const namesByVolume: (trace: Trace) => ReadonlyMap<string, readonly VolumeName[]> = oncePer(({names}) =>
  Map.groupBy(names, ({driver, handle}) => `${driver}^${handle}`),
)

function describeLink({pods, certain}: PodLink): string {
  if (pods.length === 0) return 'for a pod that is gone'
  const names = pods.map(({pod}) => `${pod.namespace}/${pod.name}`).join(', ')
  return certain ? `for ${names}` : `perhaps for ${names}, which waits for a claim`
}
