// V02: a vol_data.json that the kubelet needs for unmounting and cannot use.
import {oncePer} from '../../base/once-per.ts'
import {kubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Evidence, Finding, Severity} from '../finding.ts'
import {stepGraceMs} from '../graces.ts'
import {mountEvidence} from '../leftovers/unmounting.ts'
import {podPresence} from '../pods/pod-presence.ts'
import {sinceAt} from '../since.ts'
import {type BrokenRecord, brokenRecords, unlookedRecord} from './broken-records.ts'
import {recordNext} from './record-next.ts'
import {namedElsewhere, recordRemedies} from './record-remedies.ts'
import {type RecordStanding, recordStanding} from './record-standing.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/issues/108217',
  'https://github.com/kubernetes/kubernetes/issues/116847',
  'https://github.com/kubernetes/kubernetes/issues/85280',
  'https://github.com/kubernetes/kubernetes/issues/101378',
]

export const volDataUnreadable: Detector = {
  code: 'V02',
  name: 'vol-data-unreadable',
  severities: [
    {severity: 'error', when: 'a pod has the volume, or it is mounted, and it has been so for 2m or longer: the kubelet cannot unmount it'},
    {severity: 'info', when: 'nothing is mounted and no pod waits for it, or it may be so between two steps of the kubelet'},
  ],
  graceMs: stepGraceMs,
  needs: () => [['disk.entries'], ['disk.vol-data'], ['kubelet.pods', 'api.pods']],
  besides: ({snapshot}) => unlookedRecord(snapshot),
  helpedBy: ['kernel.mounts', 'runtime.sandboxes', 'runtime.containers', 'kubelet.log'],
  explain: {
    what: 'A vol_data.json is missing, empty, cut or without the keys that the kubelet needs: no call reaches the driver, and the pod stays Terminating.',
    how:
      'The kubelet writes the file in place and without a sync, so a loss of power leaves it empty or cut. A second unmount that overtakes the ' +
      'first, a final error of the first publish, or a clean-up by hand remove it. It is never made again from the API.',
    lookAlikes: [
      'text behind the first JSON value: the kubelet reads that value and no more',
      'a file without volumeLifecycleMode, as old kubelets and raw block volumes have it',
      'a file that is missing for a moment while the volume is set up or torn down',
      'an empty directory of a pod that has ended and that nobody deletes',
      'a file behind a link, or above 64 KiB: the kubelet reads it, we do not',
      'a globalmount without a file beside it: a driver without STAGE_UNSTAGE_VOLUME',
    ],
    links,
  },
  detect: (context) => [...unreadableRecords(context).values()],
}

/** By the directory of the volume. */
const unreadableRecords: (context: DetectContext) => ReadonlyMap<string, Finding> = oncePer((context) => {
  const found = brokenRecords(context.snapshot).flatMap((record) => {
    const standing = recordStanding(context.snapshot, record)
    return standing === undefined ? [] : [[record.folder, finding(context, record, standing)] as const]
  })
  return new Map(found)
})

/** The finding about a volume's directory, for those that follow from it; undefined when it is harmless. */
export function unreadableRecordOf(context: DetectContext, folder: string): Finding | undefined {
  const found = unreadableRecords(context).get(folder)
  return found?.severity === 'error' ? found : undefined
}

function finding(context: DetectContext, record: BrokenRecord, standing: RecordStanding): Finding {
  const severity: Severity = standing.verdict === 'stuck' ? 'error' : 'info'
  return {
    code: 'V02',
    name: 'vol-data-unreadable',
    severity,
    subject: subjectOf(context, record, standing),
    message: `${label(record)} ${record.why.replace(/^it is /, 'is ').replace(/^it/, 'cannot be used: it')}, ${standing.forHowLong}: ${consequence(record, standing)}.`,
    ...sinceAt(standing.since?.at, context.snapshot.when),
    next: recordNext(record, standing, context.profile),
    evidence: [...evidenceOf(context, record, standing), ...(standing.since?.evidence ?? [])],
    cause: null,
    remedy: recordRemedies(context, record, standing),
    links,
  }
}

function label({kind, specName}: BrokenRecord): string {
  if (kind === 'staging') return 'The vol_data.json of a staged volume'
  return `The vol_data.json of ${kind === 'block' ? 'the raw block volume ' : ''}${specName}`
}

function consequence({kind}: BrokenRecord, {verdict, pod, podUid, mounted}: RecordStanding): string {
  if (verdict === 'harmless') return 'nothing is mounted and no pod waits for it, so nothing depends on it'
  if (verdict === 'young') return 'the kubelet may be about to write it or to remove the directory'
  const call = kind === 'staging' ? 'NodeUnstageVolume' : 'NodeUnpublishVolume'
  const whose =
    pod === undefined ? (podUid === undefined ? 'that nobody waits for' : `of the pod ${podUid}`) : `of ${pod.namespace}/${pod.name}`
  return `the kubelet cannot send ${call} for the volume ${whose}${mounted ? ', which is mounted' : ''}`
}

function subjectOf(context: DetectContext, record: BrokenRecord, {pod, podUid}: RecordStanding): Finding['subject'] {
  const named = namedElsewhere(context, record)
  const uid = podUid ?? record.podUids[0]
  return {
    kind: 'Volume',
    ...(record.specName === undefined ? {} : {name: record.specName}),
    ...(pod === undefined ? {} : {namespace: pod.namespace, pod: pod.name}),
    ...(uid === undefined ? {} : {podUid: uid}),
    ...(named === undefined ? {} : {driver: named.driver, handle: named.handle}),
    path: `${context.snapshot.kubeletRoot}/${record.path}`,
  }
}

function evidenceOf({snapshot}: DetectContext, record: BrokenRecord, standing: RecordStanding): Evidence[] {
  const source = record.missing ? 'disk.entries' : 'disk.vol-data'
  const mounts = kubeletMounts(snapshot)
  const {pod, podUid} = standing
  const podSource = podUid === undefined ? undefined : podPresence(snapshot).sourceOf(podUid)
  const podFact = `${pod === undefined ? `the pod ${podUid}` : `${pod.namespace}/${pod.name}`} has the volume in its directory`
  return [
    {source, fact: `${record.path}: ${record.why}`},
    ...(mounts === undefined ? [] : mountEvidence(mounts, record.mounts ?? [])),
    ...(podSource === undefined ? [] : [{source: podSource, fact: podFact}]),
  ]
}
