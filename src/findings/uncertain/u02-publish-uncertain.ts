// U02: the driver may have published a volume that the kubelet does not have. The disk shows it of raw block volumes, the log of both kinds.
import type {Detector} from '../detector.ts'
import {operationGraceMs} from './uncertain-call.ts'
import {type UncertainKind, uncertainFinding} from './uncertain-finding.ts'
import {uncertainVolumes} from './uncertain-volume.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/pull/88660',
  'https://github.com/kubernetes/kubernetes/issues/88086',
  'https://github.com/kubernetes/kubernetes/issues/85476',
]

const kind: UncertainKind = {
  code: 'U02',
  name: 'publish-uncertain',
  links,
  done: 'published',
  method: 'NodePublishVolume',
  owed: (of) => `NodeUnpublishVolume${of}, then NodeUnstageVolume`,
}

export const publishUncertain: Detector = {
  code: kind.code,
  name: kind.name,
  severities: [
    {severity: 'error', when: 'the kubelet will not send NodeUnpublishVolume: its version, a restart since, or the pod is long gone'},
    {severity: 'warning', when: 'NodeUnpublishVolume is owed and the kubelet will send it'},
    {severity: 'info', when: 'NodePublishVolume may still be running, or nothing says how it ended'},
  ],
  graceMs: operationGraceMs,
  needs: () => [['disk.entries'], ['disk.vol-data'], ['kubelet.pods', 'api.pods']],
  helpedBy: ['kubelet.log', 'kubelet.metrics'],
  explain: {
    what: 'NodePublishVolume was called and the kubelet has no success from it, while the driver may have published the volume, or may yet.',
    how:
      'For a raw block volume the kubelet makes the publish directory before the call and the link in the directory of the pod after its success. Between the two lie the ' +
      'two minutes that it waits. Kubelets up to 1.17 then skip NodeUnpublishVolume when the target is not there yet; later ones hold the pod ' +
      'as uncertain and send NodeUnpublishVolume, then NodeUnstageVolume, but a restart makes them forget it: there is no link to find it by.',
    lookAlikes: [
      'a pod that has just started: publishing takes as long as the driver needs',
      'a second pod on this node that already has the volume: its own link is there',
      'a volume that is being undone: NodeUnpublishVolume was answered and NodeUnstageVolume is on its way',
    ],
    links,
  },
  detect: (context) => uncertainVolumes(context, kind.done).map((volume) => uncertainFinding(kind, volume, context)),
}
