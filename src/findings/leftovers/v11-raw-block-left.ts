// V11: what a raw block volume leaves behind of a pod that is gone, or of a device that is.
import {formatDuration} from '../../base/duration.ts'
import {formatInstant} from '../../base/instant.ts'
import {onHost} from '../../node/below-root.ts'
import type {BlockDevice} from '../../node/kernel/facts.ts'
import {blockDirs} from '../../node/layout.ts'
import type {Pod} from '../../node/pod.ts'
import {checkAgain} from '../check-again.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Evidence, Finding, Remedy, Subject} from '../finding.ts'
import {healingMs, leftFor, unlessGoing} from '../healing.ts'
import {restartKubelet} from '../kubelet/kubelet-remedies.ts'
import {podPresence} from '../pods/pod-presence.ts'
import {type PodsHere, podName, podsHere} from '../pods/pods-here.ts'
import {knownPods, waitsForVolumes} from '../pods/waiting-pods.ts'
import {shellWord} from '../shell-word.ts'
import {sinceAt} from '../since.ts'
import {uncertainVolumes} from '../uncertain/uncertain-volume.ts'
import {volumeOfBlock} from '../volumes/volume-paths.ts'
import {isDeleted, namelessLoops, type RawBlock, rawBlocks} from './raw-block-leftovers.ts'
import {deviceLostNext, leftOverNext, namelessLoopNext} from './raw-block-next.ts'
import {leftSince} from './raw-block-since.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/issues/109132',
  'https://github.com/kubernetes/kubernetes/issues/99677',
  'https://github.com/kubernetes/kubernetes/issues/119608',
]

export const rawBlockLeft: Detector = {
  code: 'V11',
  name: 'raw-block-left',
  severities: [
    {
      severity: 'error',
      when: 'files, mounts or loop devices of a raw block volume are left of a pod that is gone, or its device is gone under a pod',
    },
    {severity: 'warning', when: 'a loop device holds a deleted file that no volume can be told of'},
    {
      severity: 'info',
      when: `its files or the directories around them changed less than ${formatDuration(healingMs)} ago, or nobody knows when, or the pod whose device is gone is going itself`,
    },
  ],
  graceMs: healingMs,
  needs: () => [['disk.entries'], ['disk.vol-data'], ['kubelet.pods'], ['runtime.sandboxes']],
  cannotLook: (context) => podsHere(context).doubt,
  helpedBy: ['kernel.mounts', 'kernel.devices', 'api.pods', 'kubelet.log', 'csi.drivers'],
  explain: {
    what:
      'Below volumeDevices lies the device file of a pod that neither the kubelet nor the runtime nor the API server knows, or a loop device holds ' +
      'a file there that was deleted.',
    how:
      'The kubelet binds the device at dev/<pod>, and locks it with a loop device. When the device vanishes, or the pod goes while it is being ' +
      'mapped, the undoing fails; from then on UnmapDevice says that the device is still referenced from other pods, and the volume cannot move.',
    lookAlikes: [
      'a pod that waits for the volume: that is U02',
      'a second pod with the same volume: its own file is there, too',
      'an empty dev directory: the kubelet removes it after NodeUnstageVolume',
      'a publish path that is one file a volume: so older kubelets made it',
      'a mount whose source is devtmpfs or udev: it is the device file, bound',
      'a pod that was deleted by force while its volume is being unpublished: its link goes before that',
    ],
    links,
  },
  detect: (context) => {
    const pods = podsHere(context)
    const blocks = rawBlocks(context.snapshot)
    const gone = blocks.filter((block) => isLeft(block, context, pods))
    const uncertain =
      gone.length === 0 ? new Set<string>() : new Set(uncertainVolumes(context, 'published').flatMap(({path}) => path ?? []))
    const left = gone.filter(({files}) => !files.some((file) => uncertain.has(onHost(context.snapshot, file))))
    const lost = blocks.filter((block) => !gone.includes(block) && block.loops.some(isDeleted))
    const nameless = blocks.length === 0 ? [] : namelessLoops(context.snapshot)
    return [
      ...left.map((block) => leftOver(block, context)),
      ...lost.map((block) => deviceLost(block, context, pods)),
      ...nameless.map(loop),
    ]
  },
}

function isLeft({specName, podUid}: RawBlock, {belief, snapshot}: DetectContext, pods: PodsHere): boolean {
  if (podUid !== undefined) return pods.gone(podUid)
  const users = belief?.volumes.filter((volume) => volume.mode === 'block' && volume.specName === specName) ?? []
  // Nothing says whose it is: any pod that waits for a volume may be the one.
  const awaited = knownPods(snapshot)?.some(({pod}) => waitsForVolumes(pod)) ?? true
  return !awaited && users.every((user) => pods.gone(user.podUid))
}

function leftOver(block: RawBlock, context: DetectContext): Finding {
  const {specName, podUid, files, changedAt} = block
  const {snapshot} = context
  const age = changedAt === undefined ? undefined : snapshot.when - changedAt
  const since = leftSince(snapshot, block)
  const severity = leftFor(age, 'error')
  const whose = podUid === undefined ? 'no pod has it' : `nobody knows pod ${podUid}`
  return {
    code: 'V11',
    name: 'raw-block-left',
    severity,
    subject: subjectOf(block, context),
    message: `Raw block volume ${specName} is still there for a pod that is gone (${whose}).`,
    ...sinceAt(since?.at, snapshot.when),
    next: leftOverNext(block),
    evidence: [
      ...evidenceOf(block, context),
      ...(podUid === undefined ? [] : [{source: 'kubelet.pods', fact: `no pod has the UID ${podUid}`}]),
      ...(age === undefined
        ? []
        : [{source: 'disk.entries', fact: `something of it, or around it, was last changed ${formatDuration(age)} ago`}]),
      ...(since?.evidence ?? []),
    ],
    cause: null,
    remedy:
      severity === 'info'
        ? [lookAgain]
        : [
            ...detach(block.loops),
            ...block.mounts.map(({path}) => unmount(onHost(snapshot, path))),
            ...files.map((path) => remove(onHost(snapshot, path))),
            restartKubelet(snapshot, 'when the volume is not unstaged within 2m 2s: it looks at the directories again'),
          ],
    links,
  }
}

const lookAgain = checkAgain('look again in ten minutes: the kubelet may still take it away')

function deviceLost(block: RawBlock, context: DetectContext, pods: PodsHere): Finding {
  const {specName, podUid} = block
  const pod = podUid === undefined ? undefined : pods.pod(podUid)
  // A pod that goes takes its device away before its loop device, which the kernel keeps as long as somebody has it open.
  const going = pod?.deletedAt === undefined ? undefined : context.snapshot.when - pod.deletedAt
  const severity = unlessGoing(going, 'error')
  return {
    code: 'V11',
    name: 'raw-block-left',
    severity,
    subject: {...subjectOf(block, context), ...(pod !== undefined && {namespace: pod.namespace, pod: pod.name})},
    message: `The device of raw block volume ${specName}${podUid === undefined ? '' : ` is gone under ${podName(pods, podUid)}`}: the loop device that locks it holds a deleted file.`,
    ...sinceAt(severity === 'info' ? pod?.deletedAt : undefined, context.snapshot.when),
    next: deviceLostNext(going !== undefined),
    evidence: [...evidenceOf(block, context), ...goingEvidence(context, pod)],
    cause: null,
    remedy: severity === 'info' ? [lookAgain] : [...(pod === undefined ? [] : [deletePod(pod)]), ...detach(block.loops.filter(isDeleted))],
    links,
  }
}

function goingEvidence({snapshot}: DetectContext, pod: Pod | undefined): Evidence[] {
  if (pod?.deletedAt === undefined) return []
  const source = podPresence(snapshot).sourceOf(pod.uid) ?? 'kubelet.pods'
  return [{source, fact: `${pod.namespace}/${pod.name} is being deleted, due at ${formatInstant(pod.deletedAt)}`}]
}

function deletePod({namespace, name}: Pod): Remedy {
  return {
    command: `kubectl delete pod -n ${shellWord(namespace)} ${shellWord(name)}`,
    why: 'what it reads and writes fails; a new pod gets the device anew',
    loses: 'what the pod keeps in emptyDir volumes',
  }
}

function loop(device: BlockDevice): Finding {
  return {
    code: 'V11',
    name: 'raw-block-left',
    severity: 'warning',
    subject: {kind: 'Path', path: `/dev/${device.name}`},
    message: `Loop device ${device.name} holds a file that was deleted and that has no path any more, as a raw block volume leaves it whose device vanished.`,
    next: namelessLoopNext,
    evidence: [{source: 'kernel.devices', fact: `${device.name} has '${device.backingFile ?? ''}' behind it`}],
    cause: null,
    remedy: [
      {command: `losetup --list /dev/${shellWord(device.name)}`, why: 'see whose it is before it is detached with losetup -d', loses: null},
    ],
    links,
  }
}

function subjectOf({specName, podUid, files}: RawBlock, {snapshot}: DetectContext): Subject {
  return {
    kind: 'Volume',
    name: specName,
    ...volumeOfBlock(snapshot, specName),
    ...(podUid !== undefined && {podUid}),
    path: onHost(snapshot, files[0] ?? blockDirs.publish(specName)),
  }
}

function evidenceOf({files, mounts, loops}: RawBlock, {snapshot}: DetectContext): Evidence[] {
  return [
    ...files.map((path) => ({source: 'disk.entries', fact: `${onHost(snapshot, path)} is there`})),
    ...mounts.map(({path, mount}) => ({
      source: 'kernel.mounts',
      fact: `${onHost(snapshot, path)} is ${mount.root} of ${mount.source} (${mount.device})`,
    })),
    ...loops.map(({name, backingFile}) => ({source: 'kernel.devices', fact: `${name} has '${backingFile ?? ''}' behind it`})),
  ]
}

function detach(loops: readonly BlockDevice[]): Remedy[] {
  return loops.map(({name}) => ({command: `losetup -d /dev/${shellWord(name)}`, why: 'first: it keeps the device in use', loses: null}))
}

function unmount(path: string): Remedy {
  return {command: `umount ${shellWord(path)}`, why: 'it is bound to the device', loses: null}
}

function remove(path: string): Remedy {
  const file = shellWord(path)
  return {
    command: `findmnt -M ${file} || test -s ${file} || rm ${file}`,
    why: 'the file that the device was bound to, once nothing is mounted on it and it holds nothing',
    loses: null,
  }
}
