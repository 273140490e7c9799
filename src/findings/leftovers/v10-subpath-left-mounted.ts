// V10: subPath mounts of a pod that is gone. The clean-up of orphaned pods looks into volumes/ and leaves these.
import {formatDuration} from '../../base/duration.ts'
import {onHost} from '../../node/below-root.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {checkAgain} from '../check-again.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Finding, Remedy, Subject} from '../finding.ts'
import {healingMs, leftFor} from '../healing.ts'
import {describeMount, deviceOfRoot, mountsBelowRoot, type RootMount} from '../mounts/root-mounts.ts'
import {type PodsHere, podsHere} from '../pods/pods-here.ts'
import {shellWord} from '../shell-word.ts'
import {sinceAt} from '../since.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/issues/135698',
  'https://github.com/kubernetes/kubernetes/issues/72257',
  'https://github.com/kubernetes/kubernetes/issues/68211',
]

export const subpathLeftMounted: Detector = {
  code: 'V10',
  name: 'subpath-left-mounted',
  severities: [
    {
      severity: 'critical',
      when: "the pod is gone and the mount is of the file system of the kubelet's root: a recursive delete goes through it",
    },
    {severity: 'error', when: 'the pod is gone and its subPath is still mounted'},
    {
      severity: 'info',
      when: `the pod went less than ${formatDuration(healingMs)} ago or nobody knows when, or it lives and the file that it has mounted was replaced`,
    },
  ],
  graceMs: healingMs,
  needs: () => [['kernel.mounts'], ['kubelet.pods'], ['runtime.sandboxes']],
  cannotLook: (context) => podsHere(context).doubt,
  helpedBy: ['api.pods', 'runtime.containers', 'disk.entries', 'kubelet.log'],
  explain: {
    what: 'Below pods/<uid>/volume-subpaths something is mounted, and neither the kubelet nor the runtime nor the API server knows the pod.',
    how:
      'The pod was deleted by force while the kubelet was down. A kubelet that starts finds volumes by their directories; a hostPath has none, so ' +
      'nobody unmounts its subPaths, and the directory of the pod stays busy. Kubelets up to 1.13 deleted through such a mount.',
    lookAlikes: [
      'a kubelet that has just started: its list of pods is not whole',
      'a static pod: its directory has the UID of its file, not that of the mirror pod',
      'a subPath of a ConfigMap that was updated: its mount ends in //deleted while the pod lives',
      'a pod that was deleted a moment ago',
    ],
    links,
  },
  detect: (context) => {
    const pods = podsHere(context)
    const rootDevice = deviceOfRoot(context.snapshot)
    const changes = lastChanges(context)
    return [...subpathsByPod(context)].flatMap(([uid, mounts]) => {
      if (pods.gone(uid)) return [left(uid, mounts, {rootDevice, changedAt: changes.get(uid)}, context)]
      const replaced = mounts.filter(({mount}) => mount.root.endsWith('//deleted'))
      return replaced.length === 0 || pods.pod(uid) === undefined ? [] : [stale(uid, replaced, pods, context)]
    })
  },
}

function subpathsByPod({snapshot}: DetectContext): ReadonlyMap<string, RootMount[]> {
  const byPod = new Map<string, RootMount[]>()
  // Backwards: what was mounted last is unmounted first.
  for (const each of mountsBelowRoot(snapshot).toReversed()) {
    const uid = /^pods\/([^/]+)\/volume-subpaths\/./.exec(each.path)?.[1]
    if (uid === undefined) continue
    const others = byPod.get(uid)
    if (others === undefined) byPod.set(uid, [each])
    else others.push(each)
  }
  return byPod
}

interface Surroundings {
  readonly rootDevice: string | undefined
  readonly changedAt: number | undefined
}

function left(uid: string, mounts: readonly RootMount[], {rootDevice, changedAt}: Surroundings, {snapshot}: DetectContext): Finding {
  const shared = mounts.filter(({mount}) => mount.device === rootDevice)
  const age = changedAt === undefined ? undefined : snapshot.when - changedAt
  const severity = leftFor(age, shared.length > 0 ? 'critical' : 'error')
  const danger =
    shared.length === 0
      ? ''
      : ` ${shared.length === mounts.length ? 'They lie' : `${shared.length} of them lie`} on the file system of the kubelet's root: a recursive delete of the pod's directory would go through to the data behind.`
  return {
    code: 'V10',
    name: 'subpath-left-mounted',
    severity,
    subject: subjectOf(mounts, snapshot.kubeletRoot, {podUid: uid}),
    message: `${mounts.length} subPath ${mounts.length === 1 ? 'mount' : 'mounts'} of pod ${uid} ${mounts.length === 1 ? 'is' : 'are'} left, and nobody knows the pod.${danger}`,
    ...sinceAt(changedAt, snapshot.when),
    next: 'The kubelet looks at the directory every 2s, does not unmount what it has no volume for, and leaves the directory as long as something is mounted in it.',
    evidence: [
      ...mountFacts(mounts, snapshot),
      {source: 'kubelet.pods', fact: `no pod has the UID ${uid}`},
      {source: 'runtime.sandboxes', fact: `no sandbox has the UID ${uid}`},
      ...(age === undefined ? [] : [{source: 'disk.entries', fact: `pods/${uid} was last changed ${formatDuration(age)} ago`}]),
    ],
    cause: null,
    remedy: severity === 'info' ? [lookAgain] : mounts.map(({path}) => unmount(onHost(snapshot, path))),
    links,
  }
}

const lookAgain = checkAgain('look again in ten minutes: the kubelet may still unmount it')

function unmount(path: string): Remedy {
  return {
    command: `umount ${shellWord(path)}`,
    why: 'then the kubelet removes the directory by itself; never rm -r while anything is mounted below',
    loses: null,
  }
}

/** The file that was mounted is gone from its directory: the container goes on with the old one and cannot be restarted. */
function stale(uid: string, mounts: readonly RootMount[], pods: PodsHere, {snapshot}: DetectContext): Finding {
  const pod = pods.pod(uid)
  const named = pod === undefined ? {} : {namespace: pod.namespace, pod: pod.name}
  return {
    code: 'V10',
    name: 'subpath-left-mounted',
    severity: 'info',
    subject: subjectOf(mounts, snapshot.kubeletRoot, {...named, podUid: uid}),
    message: `${pod?.namespace ?? ''}/${pod?.name ?? uid} has a subPath of a file that was replaced since, as in an update of its ConfigMap: it sees the old content.`,
    next: 'The kubelet does nothing about it: a subPath follows no update of its volume, and is made anew with its container only.',
    evidence: mountFacts(mounts, snapshot),
    cause: null,
    remedy: [
      {
        command: `kubectl describe pod -n ${shellWord(pod?.namespace ?? '')} ${shellWord(pod?.name ?? '')}`,
        why: 'does it need the new content? A pod that is made anew gets it; a container that is only restarted may not find the file',
        loses: null,
      },
    ],
    links,
  }
}

function subjectOf([first]: readonly RootMount[], root: string, more: Partial<Subject>): Subject {
  return {kind: 'Path', ...more, path: `${root}/${first?.path ?? ''}`}
}

function mountFacts(mounts: readonly RootMount[], snapshot: Snapshot) {
  return mounts.slice(0, 5).map(({path, mount}) => ({
    source: 'kernel.mounts',
    fact: `${onHost(snapshot, path)} is ${mount.root} in ${describeMount(mount)} (${mount.device})`,
  }))
}

/** By UID: when the directory of the pod last changed. The kubelet takes it apart bit by bit. */
function lastChanges({snapshot}: DetectContext): ReadonlyMap<string, number> {
  const last = new Map<string, number>()
  for (const {path, modifiedAt} of known(snapshot.readings['disk.entries']) ?? []) {
    const uid = modifiedAt === undefined || !path.startsWith('pods/') ? undefined : /^pods\/([^/]+)(?:\/[^/]+)?$/.exec(path)?.[1]
    if (uid !== undefined && modifiedAt !== undefined) last.set(uid, Math.max(modifiedAt, last.get(uid) ?? modifiedAt))
  }
  return last
}
