// V01: the directory of a pod that nobody knows is left.
import {checkAgain} from '../check-again.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Finding, Severity} from '../finding.ts'
import {leftDirGraceMs} from '../graces.ts'
import {podsHere} from '../pods/pods-here.ts'
import {sinceAt} from '../since.ts'
import {leaksByPod} from './leaked-publishes.ts'
import {leftDirNext} from './left-dir-next.ts'
import {type LeftPodDir, leftPodDirs} from './left-pod-dirs.ts'
import {leftoverOf} from './leftovers.ts'
import {leakSubject} from './v03-leaked-publish-mount.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/issues/60987',
  'https://github.com/kubernetes/kubernetes/issues/105536',
  'https://github.com/kubernetes/kubernetes/issues/119792',
  'https://github.com/kubernetes/kubernetes/issues/72257',
]

export const orphanPodDir: Detector = {
  code: 'V01',
  name: 'orphan-pod-dir',
  severities: [
    {severity: 'error', when: 'something is still mounted in it, and it is older than 10m'},
    {severity: 'warning', when: 'nothing is mounted in it, and it is older than 10m'},
    {severity: 'info', when: 'it is younger than that, or nothing tells its age'},
  ],
  graceMs: leftDirGraceMs,
  needs: () => [['disk.entries'], ['kubelet.pods'], ['runtime.sandboxes']],
  cannotLook: (context) => podsHere(context).doubt,
  helpedBy: ['kernel.mounts', 'runtime.containers', 'api.pods', 'disk.vol-data', 'kubelet.log'],
  explain: {
    what: 'A directory in pods/ bears a UID that neither the kubelet nor the runtime nor the API server knows, and the kubelet does not manage to remove it.',
    how:
      'Every two seconds the kubelet looks for such directories. It removes empty directories only, and nothing while a volume in it is mounted: a ' +
      'vol_data.json that is left alone, files that a container wrote after the volume was gone, a mount or a FlexVolume that no plugin claims keep it for good.',
    lookAlikes: [
      'a pod that was deleted a moment ago, with or without force',
      'a kubelet that has just started: until all of its sources have spoken its list of pods is empty or lacks some',
      'a static pod: its UID is the hash of its manifest, 32 hexadecimal digits, and its mirror at the API server has another one',
      'a directory whose name is no UID: somebody else made it',
    ],
    links,
  },
  detect: (context) => leftPodDirs(context.snapshot).flatMap((left) => finding(context, left) ?? []),
}

function finding(context: DetectContext, left: LeftPodDir): Finding | undefined {
  const {snapshot} = context
  const leftover = leftoverOf(snapshot, left)
  const severity: Severity = left.age !== 'settled' ? 'info' : leftover.mounted ? 'error' : 'warning'
  const [leak] = leaksByPod(context).get(left.uid) ?? []
  const waits = left.age === 'settled' ? '' : left.age === 'young' ? ' It may still be removed.' : ' Nothing tells since when.'
  return {
    code: 'V01',
    name: 'orphan-pod-dir',
    severity,
    subject: {kind: 'Path', uid: left.uid, path: `${snapshot.kubeletRoot}/${left.path}`},
    message: `The directory of the pod ${left.uid}, which nobody knows, is left (${leftover.kind}): ${leftover.what}.${waits}`,
    ...sinceAt(left.since, snapshot.when),
    next: leftDirNext(leftover, left, context.profile),
    evidence: [...left.evidence, ...leftover.evidence],
    cause: leak === undefined ? null : {code: 'V03', subject: leakSubject(context, leak)},
    remedy: left.age === 'settled' ? leftover.remedy : [checkAgain('look again in ten minutes')],
    links,
  }
}
