// V05: a pod has a volume of a driver that stages, and it is not staged.
import type {Profile} from '../../kubelet/profiles.ts'
import {checkAgain} from '../check-again.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Finding, Remedy, Subject} from '../finding.ts'
import {stagingGraceMs} from '../graces.ts'
import {pauses} from '../retries.ts'
import {shellWord} from '../shell-word.ts'
import {sinceAt} from '../since.ts'
import {chanceToStage, type UnstagedPublish, unstagedPublishes, unstagedSince} from './unstaged-publishes.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/issues/86360',
  'https://github.com/kubernetes/kubernetes/issues/100182',
  'https://github.com/kubernetes/kubernetes/issues/106729',
  'https://github.com/kubernetes/kubernetes/issues/121357',
]

export const publishWithoutStage: Detector = {
  code: 'V05',
  name: 'publish-without-stage',
  severities: [
    {severity: 'error', when: 'a pod has had the volume for 5m, and it is not staged'},
    {severity: 'info', when: 'the pod is younger than that: the driver may still be at work'},
  ],
  graceMs: stagingGraceMs,
  needs: () => [['disk.entries'], ['disk.vol-data'], ['kernel.mounts'], ['kubelet.pods', 'api.pods']],
  helpedBy: ['csi.drivers', 'runtime.containers'],
  explain: {
    what: "A volume of a driver that stages is in the directory of a pod and is not staged: NodePublishVolume fails, or shows the node's own disk.",
    how:
      'NodeUnstageVolume timed out or failed after the driver had done it, and a kubelet of 1.20 or 1.21 took the volume for staged; or it staged ' +
      'for a new pod while the old unstage was still at work, which then removed the directory.',
    lookAlikes: [
      'a globalmount without anything mounted on it: the hostpath driver stages nothing; only the driver itself or another volume of it tells',
      'a driver that stages elsewhere: the volume of the pod is then a mount of something real',
      'a driver that learned STAGE_UNSTAGE_VOLUME after the volume was published',
      'inline and raw block volumes',
    ],
    links,
  },
  detect: (context) => [...unstagedPublishes(context).values()].map((unstaged) => finding(context, unstaged)),
}

/** For the findings that follow from it. */
export function unstagedSubject({snapshot}: DetectContext, {volume, pod, stagingPath}: UnstagedPublish): Subject {
  const {specName, driver, handle} = volume
  const path = `${snapshot.kubeletRoot}/${stagingPath}`
  return {kind: 'Volume', namespace: pod.namespace, name: specName, pod: pod.name, podUid: pod.uid, driver, handle, path}
}

function finding(context: DetectContext, unstaged: UnstagedPublish): Finding {
  const {volume, pod, stagingPath, evidence} = unstaged
  const chance = chanceToStage(context, unstaged)
  const settled = chance !== undefined && context.snapshot.when - chance.at >= stagingGraceMs
  const since = settled ? unstagedSince(context.snapshot, unstaged, chance) : chance
  return {
    code: 'V05',
    name: 'publish-without-stage',
    severity: settled ? 'error' : 'info',
    subject: unstagedSubject(context, unstaged),
    message: `${volume.specName} is in the directory of ${pod.namespace}/${pod.name} and not staged at ${stagingPath}${settled ? '' : ', or not yet'}. ${volume.driver} expects NodeStageVolume before NodePublishVolume.`,
    ...sinceAt(since?.at, context.snapshot.when),
    next: next(settled, context.profile),
    evidence: [...evidence, ...(since?.evidence ?? [])],
    cause: null,
    remedy: settled ? remedies(unstaged) : [checkAgain('look again in five minutes: the driver may still be at work')],
    links,
  }
}

function next(settled: boolean, {switches}: Profile): string {
  if (!settled) return `The kubelet waits 2m for the answer of NodeStageVolume, and repeats the call ${pauses}.`
  if (!switches.has('stage-once'))
    return 'The kubelet does nothing about it for this pod: it calls NodeStageVolume for the next one with the volume.'
  const restart = switches.has('reconstruct-uncertain') ? 'after a start of its own or ' : ''
  return `The kubelet takes the volume for staged: it calls NodeStageVolume again only ${restart}after NodeUnstageVolume, which it sends when no pod on this node wants the volume.`
}

function remedies({pod, volume}: UnstagedPublish): Remedy[] {
  return [
    {
      command: `kubectl -n ${shellWord(pod.namespace)} delete pod ${shellWord(pod.name)}`,
      why: 'when no pod on this node wants the volume the kubelet sends NodeUnstageVolume, and stages anew for the next pod',
      loses: 'the pod, unless a controller makes another one; what it wrote meanwhile lies on the disk of the node',
    },
    checkAgain(
      `look again when NodeUnstageVolume of ${volume.handle} was answered; if it is not, restart the pod of ${volume.driver} on this node`,
    ),
  ]
}
