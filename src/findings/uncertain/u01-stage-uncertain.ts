// U01: the driver may have staged a volume that the kubelet does not have.
import type {Detector} from '../detector.ts'
import {operationGraceMs} from './uncertain-call.ts'
import {type UncertainKind, uncertainFinding} from './uncertain-finding.ts'
import {uncertainVolumes} from './uncertain-volume.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/pull/88660',
  'https://github.com/kubernetes/kubernetes/pull/82492',
  'https://github.com/kubernetes/kubernetes/issues/85476',
  'https://github.com/kubernetes/kubernetes/issues/135929',
]

const kind: UncertainKind = {
  code: 'U01',
  name: 'stage-uncertain',
  links,
  done: 'staged',
  method: 'NodeStageVolume',
  owed: (of) => `NodeUnstageVolume${of}`,
}

export const stageUncertain: Detector = {
  code: kind.code,
  name: kind.name,
  severities: [
    {
      severity: 'error',
      when: 'the kubelet will not send NodeUnstageVolume: its version, a restart since, it let go of the volume, or the pod is long gone',
    },
    {severity: 'warning', when: 'NodeUnstageVolume is owed and the kubelet will send it'},
    {severity: 'info', when: 'NodeStageVolume may still be running, or nothing says how it ended'},
  ],
  graceMs: operationGraceMs,
  needs: (profile) => {
    const always = [['disk.entries'], ['disk.vol-data'], ['kubelet.pods', 'api.pods']] as const
    // Before, the pod's vol_data.json is written ahead of NodeStageVolume: the disk looks the same before and after the call.
    return profile.switches.has('pod-data-at-setup') ? always : [...always, ['kubelet.log']]
  },
  helpedBy: ['kubelet.log', 'kernel.mounts'],
  explain: {
    what: 'NodeStageVolume was called and the kubelet has no success from it, while the driver may have staged the volume, or may yet.',
    how:
      'The kubelet waits two minutes for the answer. A driver that is slower goes on in the background. Kubelets up to 1.17 then forget ' +
      'the volume when its pod is deleted; later ones remember it as uncertain and send NodeUnstageVolume once no pod wants it, but a restart ' +
      'makes them forget it, too: they look for volumes in the directories of pods only. And so does a driver that is away when they try again: what the ' +
      'kubelet asks before NodeStageVolume fails then, and it takes that for the answer (up to 1.35; of raw block volumes still).',
    lookAlikes: [
      'a pod that has just started: staging takes as long as the driver needs',
      'a staged volume whose pod-level vol_data.json exists: it is being published',
      'an empty globalmount without vol_data.json: a driver without STAGE_UNSTAGE_VOLUME (1.34 and later)',
      'a final answer such as INVALID_ARGUMENT: nothing was staged, and no NodeUnstageVolume is right',
    ],
    links,
  },
  detect: (context) => uncertainVolumes(context, kind.done).map((volume) => uncertainFinding(kind, volume, context)),
}
