// V07: two mounts at one mount point: one unmount uncovers the other.
import {kubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import {csiPluginDir} from '../../node/layout.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Finding, Remedy} from '../finding.ts'
import {podPresence} from '../pods/pod-presence.ts'
import {shellWord} from '../shell-word.ts'
import {volumeNames} from '../volumes/volume-names.ts'
import {type Stack, stacks} from './stacks.ts'

const links = [
  'https://github.com/kubernetes-sigs/aws-efs-csi-driver/issues/695',
  'https://github.com/democratic-csi/democratic-csi/issues/559',
]

export const stackedMounts: Detector = {
  code: 'V07',
  name: 'stacked-mounts',
  severities: [
    {severity: 'error', when: 'the mounts are of different devices: the lower one is stale or holds other data'},
    {severity: 'warning', when: 'the mounts are of the same device: one unmount is not enough'},
  ],
  graceMs: 0,
  needs: () => [['kernel.mounts']],
  helpedBy: ['disk.entries', 'disk.vol-data', 'kubelet.pods'],
  explain: {
    what: 'Two mounts or more lie one upon the other at one mount point. NodeUnpublishVolume and NodeUnstageVolume take one away, and the other one keeps the volume.',
    how:
      'The kubelet repeated a call whose answer it had not heard while the driver had done it or was still at work; or a device was mounted over ' +
      'that of an earlier attachment, which is gone.',
    lookAlikes: [
      'the same mount seen twice under two names of the root directory',
      'copies that mount propagation makes beneath a directory that is bound onto itself, as with every restart of some drivers: they are hidden, not stacked',
      'an automount and what it mounted, and an overlay over the directory that it shows',
      'an emptyDir in memory that is mounted again',
    ],
    links,
  },
  detect: (context) => {
    const mounts = kubeletMounts(context.snapshot)
    return mounts === undefined ? [] : stacks(mounts).map((stack) => finding(context, stack))
  },
}

function finding(context: DetectContext, stack: Stack): Finding {
  const {mountPoint, layers, sameDevice} = stack
  const listed = layers
    .map(({source, device, fsType, root}) => `${source} (${device}${fsType === 'devtmpfs' ? ` ${root}` : ''})`)
    .join(', then ')
  return {
    code: 'V07',
    name: 'stacked-mounts',
    severity: sameDevice ? 'warning' : 'error',
    subject: subjectOf(context, stack),
    message: `${layers.length} mounts lie one upon the other at ${mountPoint}, from the bottom: ${listed}. One unmount takes the uppermost away only.`,
    next: 'The kubelet does nothing about it: when the pods are gone it sends NodeUnpublishVolume or NodeUnstageVolume once, and after an OK leaves what is still mounted.',
    evidence: layers.map(({id, parent, root, fsType, source, device}, index) => ({
      source: 'kernel.mounts',
      fact: `${index === 0 ? 'at the bottom' : `upon ${parent}`}: mount ${id}, ${fsType} ${source}, device ${device}, ${root} of it`,
    })),
    cause: null,
    remedy: remediesFor(stack),
    links,
  }
}

function subjectOf(context: DetectContext, {path, mountPoint}: Stack): Finding['subject'] {
  const names = volumeNames(context)
  const [first, podUid, third, , specName] = path.split('/')
  if (first === 'pods' && third === 'volumes' && specName !== undefined && podUid !== undefined) {
    const volume = names.byPodPath(path.split('/').slice(0, 5).join('/'))
    const pod = podPresence(context.snapshot).pod(podUid)
    return {
      kind: 'Volume',
      ...(pod === undefined ? {} : {namespace: pod.namespace, pod: pod.name}),
      name: specName,
      podUid,
      ...(volume === undefined ? {} : {driver: volume.driver, handle: volume.handle}),
      path: mountPoint,
    }
  }
  const staged = path.startsWith(`${csiPluginDir}/`) ? names.byStagingFolder(path.replace(/\/globalmount.*$/, '')) : undefined
  if (staged === undefined) return {kind: 'Path', path: mountPoint}
  const {driver, handle, specName: name} = staged
  return {kind: 'Volume', ...(name === undefined ? {} : {name}), driver, handle, path: mountPoint}
}

function remediesFor({mountPoint, layers, sameDevice}: Stack): Remedy[] {
  const look: Remedy = {
    command: `findmnt --task 1 ${shellWord(mountPoint)}`,
    why: `shows the ${layers.length} of them; lsblk tells which of the devices are still there`,
    loses: null,
  }
  const times = layers.length - 1
  const unmount: Remedy = {
    command: `umount ${shellWord(mountPoint)}`,
    why: `when the pods that use it are deleted and it is still mounted: takes the uppermost away, ${times === 1 ? 'once more' : `up to ${times} times`} than the driver does`,
    loses: sameDevice ? null : 'nothing on a device that is there; what was not yet written to one that is gone',
  }
  return [look, unmount]
}
