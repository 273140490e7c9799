// V04: a volume is staged on this node, and no pod here has it.
import {formatDuration} from '../../base/duration.ts'
import {kubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import {checkAgain} from '../check-again.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Evidence, Finding, Remedy, Severity, Subject} from '../finding.ts'
import {healingMs} from '../healing.ts'
import {podsHere} from '../pods/pods-here.ts'
import {possibleUsers} from '../pods/possible-users.ts'
import type {KnownPod} from '../pods/waiting-pods.ts'
import {pauses} from '../retries.ts'
import {shellWord} from '../shell-word.ts'
import {sinceAt} from '../since.ts'
import {unreadableRecordOf} from '../volumes/v02-vol-data-unreadable.ts'
import {isIdle, type StrandedStaging, strandedStagings} from './stranded-stagings.ts'
import {mountEvidence, unmountRemedies} from './unmounting.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/issues/85476',
  'https://github.com/kubernetes/kubernetes/issues/101791',
  'https://github.com/kubernetes/kubernetes/issues/101911',
]

export const strandedStaging: Detector = {
  code: 'V04',
  name: 'stranded-staging',
  severities: [
    {
      severity: 'critical',
      when: "it is mounted or a raw block volume, and the node's volumesInUse lacks it: it may be attached elsewhere and written to twice",
    },
    {severity: 'error', when: 'it is mounted or a raw block volume, and nobody has worked on it for 8m 4s'},
    {
      severity: 'warning',
      when: 'its vol_data.json is there and nothing is mounted; or volumesInUse lacks it and nothing tells for how long',
    },
    {severity: 'info', when: 'it may still be unstaged, nothing tells for how long it has been so, or a pod may have it'},
  ],
  graceMs: healingMs,
  needs: () => [['disk.entries'], ['disk.vol-data'], ['kernel.mounts'], ['kubelet.pods', 'api.pods']],
  cannotLook: (context) => podsHere(context).doubt,
  helpedBy: ['api.node', 'kubelet.log', 'runtime.sandboxes'],
  explain: {
    what: 'A volume is staged (its globalmount or its directory in volumeDevices/staging is there) and no pod of this node has it: nobody will send NodeUnstageVolume.',
    how:
      'A kubelet that starts looks for volumes in the directories of pods only. When its predecessor died between NodeUnpublishVolume and ' +
      'NodeUnstageVolume, or could not read a vol_data.json, the staged volume is forgotten until a pod with the same claim comes to this node.',
    lookAlikes: [
      'a volume whose last pod has just left: NodeUnstageVolume may take two minutes, and be repeated',
      'a volume that a pod waits for: that is U01',
      'a globalmount without anything mounted on it, while a pod has the volume: the hostpath driver and others stage nothing',
      'an empty globalmount without vol_data.json: a driver without STAGE_UNSTAGE_VOLUME (1.34 and later)',
      'other directories of a driver below plugins/kubernetes.io/csi, such as pv/ephemeral',
    ],
    links,
  },
  detect: (context) => strandedStagings(context).map((stranded) => finding(context, stranded)),
}

function finding(context: DetectContext, stranded: StrandedStaging): Finding {
  const users = possibleUsers(context)
  const cause = unreadableRecordOf(context, stranded.folder)
  const {specName, handle, path} = stranded
  const label = specName ?? (handle === undefined ? path : `volume ${handle}`)
  return {
    code: 'V04',
    name: 'stranded-staging',
    severity: severityOf(stranded, users),
    subject: subjectOf(context, stranded),
    message: `${label} is staged ${stagedHow(stranded)}, and no pod on this node has it. ${debt(stranded, users)}`,
    ...sinceAt(stranded.idle && context.snapshot.when - stranded.idle.ms, context.snapshot.when),
    next: next(stranded, users),
    evidence: evidenceOf(context, stranded, users),
    cause: cause === undefined ? null : {code: cause.code, subject: cause.subject},
    remedy: remediesFor(context, stranded, users),
    links,
  }
}

function severityOf(stranded: StrandedStaging, users: readonly KnownPod[]): Severity {
  if (users.length > 0) return 'info'
  const held = stranded.mode === 'block' || stranded.mounts.length > 0
  if (!isIdle(stranded)) return held && stranded.inUse === false ? 'warning' : 'info'
  if (!held) return 'warning'
  return stranded.inUse === false ? 'critical' : 'error'
}

function stagedHow({mode, mounts}: StrandedStaging): string {
  if (mode === 'block') return 'as a raw block volume'
  return mounts.length > 0 ? 'and mounted' : 'as far as its vol_data.json says, with nothing mounted'
}

function debt(stranded: StrandedStaging, users: readonly KnownPod[]): string {
  const owed = `${stranded.driver ?? 'The driver'} is owed NodeUnstageVolume of ${stranded.path}`
  if (users.length > 0)
    return `It may belong to ${users.slice(0, 3).map(podName).join(', ')}, which has more claims than its directory shows.`
  if (stranded.inUse === false && isIdle(stranded))
    return `${owed}; the node no longer lists it as in use, so it may be attached to another node meanwhile.`
  if (isIdle(stranded)) return `${owed}, which the kubelet has not sent for ${formatDuration(stranded.idle?.ms ?? 0)}.`
  return stranded.idle === undefined ? `${owed}; nothing tells since when.` : `${owed}.`
}

/** kubernetes/kubernetes#85476: no scan of the kubelet's leads to what is staged and in no directory of a pod. */
function next(stranded: StrandedStaging, users: readonly KnownPod[]): string {
  const nothing =
    'until a pod with the claim comes to this node and goes again; a restart does not change that, as the kubelet looks for volumes in the directories of pods only'
  if (users.length > 0)
    return `The kubelet sends NodeUnstageVolume when the last pod that has the volume is gone; if none has it, nobody does ${nothing}.`
  if (isIdle(stranded)) return `The kubelet does nothing about it: nobody sends NodeUnstageVolume ${nothing}.`
  return `The kubelet may be about to send NodeUnstageVolume, which it repeats ${pauses}; if it has forgotten the volume, nobody does ${nothing}.`
}

function podName({pod: {namespace, name}}: KnownPod): string {
  return `${namespace}/${name}`
}

function subjectOf({snapshot}: DetectContext, {specName, driver, handle, path}: StrandedStaging): Subject {
  return {
    kind: 'Volume',
    ...(specName === undefined ? {} : {name: specName}),
    ...(driver === undefined ? {} : {driver}),
    ...(handle === undefined ? {} : {handle}),
    path: `${snapshot.kubeletRoot}/${path}`,
  }
}

function evidenceOf(context: DetectContext, stranded: StrandedStaging, users: readonly KnownPod[]): Evidence[] {
  const {snapshot} = context
  const {path, driver, handle, mounts: paths, inUse} = stranded
  const mounts = kubeletMounts(snapshot)
  const record =
    handle === undefined
      ? []
      : [{source: 'disk.vol-data', fact: `it is volume ${handle} of ${driver}; no entry in a directory of a pod is`}]
  const mounted = mounts === undefined || paths.length === 0 ? [] : mountEvidence(mounts, paths)
  const listed = inUse === undefined ? [] : [{source: 'api.node', fact: inUse ? 'volumesInUse lists it' : 'volumesInUse does not list it'}]
  const idle =
    stranded.idle === undefined
      ? []
      : [{source: stranded.idle.source, fact: `nobody has worked on it for ${formatDuration(stranded.idle.ms)}`}]
  const claims = users
    .slice(0, 3)
    .map((user) => ({source: user.source, fact: `${podName(user)} has a claim whose volume no directory shows`}))
  return [{source: 'disk.entries', fact: `${path} is there`}, ...record, ...mounted, ...listed, ...idle, ...claims]
}

function remediesFor({snapshot}: DetectContext, stranded: StrandedStaging, users: readonly KnownPod[]): Remedy[] {
  if (users.length > 0 || !isIdle(stranded)) return [checkAgain('look again in ten minutes: the kubelet may still unstage it')]
  const newPod: Remedy = {
    command: 'kubectl apply -f POD-WITH-THE-SAME-CLAIM.yaml',
    why: 'a new pod with the claim on this node makes the kubelet learn of the volume; delete it afterwards, and the kubelet sends NodeUnstageVolume',
    loses: null,
  }
  const mounts = kubeletMounts(snapshot)
  if (stranded.mode === 'block' || mounts === undefined) return [newPod]
  const folder = `${snapshot.kubeletRoot}/${stranded.folder}`
  const record: Remedy = {
    command: `rm ${shellWord(`${folder}/vol_data.json`)}`,
    why: 'only where no such pod can be made: the driver is then never told, and may keep the device open',
    loses: 'the only record on this node of the volume handle',
  }
  const folders: Remedy = {
    command: `rmdir ${shellWord(`${folder}/globalmount`)} ${shellWord(folder)}`,
    why: 'rmdir removes nothing but empty directories',
    loses: null,
  }
  return [newPod, ...unmountRemedies(mounts, stranded.mounts), ...(stranded.hasRecord ? [record] : []), folders]
}
