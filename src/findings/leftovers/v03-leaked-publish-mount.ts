// V03: a volume is still published for a pod that is gone.
import {kubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import {checkAgain} from '../check-again.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Finding, Remedy, Subject} from '../finding.ts'
import {leftDirGraceMs} from '../graces.ts'
import {podsHere} from '../pods/pods-here.ts'
import {shellWord} from '../shell-word.ts'
import {sinceAt} from '../since.ts'
import {unreadableRecordOf} from '../volumes/v02-vol-data-unreadable.ts'
import {type LeakedPublish, leakedPublishes} from './leaked-publishes.ts'
import {leakNext} from './left-dir-next.ts'
import {unmountRemedies} from './unmounting.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/issues/92299',
  'https://github.com/kubernetes/kubernetes/issues/79980',
  'https://github.com/kubernetes/kubernetes/issues/101791',
]

export const leakedPublishMount: Detector = {
  code: 'V03',
  name: 'leaked-publish-mount',
  severities: [
    {severity: 'error', when: 'it is mounted, and nobody has known the pod for 10m; or it is inline and its pod should be long gone'},
    {severity: 'warning', when: 'an inline volume without a mount is left of a pod that nobody has known for 10m'},
    {severity: 'info', when: 'it is younger than that, or nothing tells its age'},
  ],
  graceMs: leftDirGraceMs,
  needs: () => [['kernel.mounts'], ['kubelet.pods'], ['runtime.sandboxes']],
  cannotLook: (context) => podsHere(context).doubt,
  helpedBy: ['disk.entries', 'disk.vol-data', 'runtime.containers', 'api.pods', 'kubelet.log'],
  explain: {
    what: 'Something is mounted below the directory of a pod that neither the kubelet nor the runtime nor the API server knows, so no NodeUnpublishVolume will come.',
    how:
      'A kubelet that starts forgets a volume that it cannot reconstruct, and a driver that mounts again by itself after a reboot does so for pods ' +
      'that are gone. The device stays busy: the volume cannot be staged elsewhere, or is, and is written to from two sides.',
    lookAlikes: [
      'a pod that was deleted a moment ago: its volumes are unmounted after its containers',
      'a kubelet that has just started and does not know its pods yet',
      'a static pod: its directory bears the hash of its manifest, its mirror has another UID',
      'the same mount seen twice, through a bind mount of the root directory',
    ],
    links,
  },
  detect: (context) => leakedPublishes(context).map((leak) => finding(context, leak)),
}

/** For the findings that follow from it. */
export function leakSubject({snapshot}: DetectContext, {path, podUid, pod, volume}: LeakedPublish): Subject {
  const name = path.split('/')[4]
  return {
    kind: 'Volume',
    ...(name === undefined ? {} : {name}),
    ...(pod === undefined ? {} : {namespace: pod.namespace, pod: pod.name}),
    podUid,
    ...(volume === undefined ? {} : {driver: volume.driver, handle: volume.handle}),
    path: `${snapshot.kubeletRoot}/${path}`,
  }
}

function finding(context: DetectContext, leak: LeakedPublish): Finding {
  const subject = leakSubject(context, leak)
  const cause = unreadableRecordOf(context, leak.path)
  const whose =
    leak.pod === undefined ? `the pod ${leak.podUid}, which nobody knows` : `${leak.pod.namespace}/${leak.pod.name}, which is deleted`
  const what = leak.mounts.length === 0 ? 'is inline and still there' : 'is still mounted'
  const owed = leak.volume === undefined ? '' : ` ${leak.volume.driver} is owed NodeUnpublishVolume of ${leak.volume.handle}.`
  return {
    code: 'V03',
    name: 'leaked-publish-mount',
    severity: leak.severity,
    subject,
    message: `${subject.name ?? subject.path} of ${whose}, ${what}.${owed}`,
    ...sinceAt(leak.since, context.snapshot.when),
    next: leakNext(leak, cause !== undefined, context.profile),
    evidence: leak.evidence,
    cause: cause === undefined ? null : {code: cause.code, subject: cause.subject},
    remedy: remediesFor(context, leak),
    links,
  }
}

function remediesFor({snapshot}: DetectContext, leak: LeakedPublish): Remedy[] {
  const mounts = kubeletMounts(snapshot)
  const again = checkAgain('look again: with nothing mounted the kubelet removes the directory within seconds')
  if (leak.severity === 'info') return [{...again, why: 'look again in ten minutes: it may still be unmounted'}]
  if (leak.mounts.length > 0 && mounts !== undefined) return [...unmountRemedies(mounts, leak.mounts), again]
  return [
    {
      command: `kubectl get pods -A -o wide --field-selector spec.nodeName=${shellWord(snapshot.node || 'NODE')}`,
      why: `find the pod of ${leak.volume?.driver ?? 'the driver'} on this node and ask it what it still holds: an inline volume need not be a mount`,
      loses: null,
    },
  ]
}
