// V09: a mount below the kubelet's root that is dead, or on which everybody hangs who touches it.
import {formatDuration} from '../../base/duration.ts'
import {onHost} from '../../node/below-root.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {DetectContext, Detector, Unseen} from '../detector.ts'
import {driverCauses} from '../drivers/driver-cause.ts'
import {isFuse} from '../drivers/fuse-drivers.ts'
import type {Evidence, Finding, Severity, Subject} from '../finding.ts'
import {failedChecks} from '../kubelet/failed-checks.ts'
import {type PodsHere, podName, podsHere} from '../pods/pods-here.ts'
import {sinceAt} from '../since.ts'
import {whyUnusable} from '../usable.ts'
import {type VolumeAt, volumeAt} from '../volumes/volume-paths.ts'
import {deadMountNext} from './dead-mount-next.ts'
import {deadMountRemedies} from './dead-mount-remedies.ts'
import {type DeadMount, deadMounts} from './dead-mounts.ts'
import {describeMount} from './root-mounts.ts'

/** nfs(5): a client over TCP waits 60 s for an answer before it asks again. One look of a few seconds cannot tell slow from lost. */
const slowMs = 60_000

const links = [
  'https://github.com/kubernetes/kubernetes/issues/101622',
  'https://github.com/kubernetes/kubernetes/issues/31272',
  'https://github.com/kubernetes/kubernetes/issues/112601',
  'https://github.com/kubernetes/kubernetes/issues/77969',
]

export const deadOrHungMount: Detector = {
  code: 'V09',
  name: 'dead-or-hung-mount',
  severities: [
    {
      severity: 'critical',
      when: "it hangs, and it is the kubelet's root or lies directly below it, or the kubelet says that its loop does not turn",
    },
    {severity: 'error', when: `it is dead, or it hung for ${formatDuration(slowMs)} or longer, or a container's process hangs with it`},
    {
      severity: 'warning',
      when: `a look at it hung for less than ${formatDuration(slowMs)} and nothing else shows that it is lost: it may be slow`,
    },
  ],
  graceMs: slowMs,
  needs: () => [['disk.mounts', 'kernel.devices'], ['kernel.mounts']],
  cannotLook: ({snapshot}) => (deadMounts(snapshot).length > 0 ? undefined : unlooked(snapshot)),
  besides: ({snapshot}) => unlooked(snapshot),
  helpedBy: ['disk.mounts', 'kernel.devices', 'disk.vol-data', 'kubelet.healthz', 'kubelet.pods', 'processes', 'csi.drivers'],
  explain: {
    what:
      'A mount point below the root of the kubelet answers with an error that only a lost server, process or device gives, or does not answer, or ' +
      'lies on a block device that the kernel no longer has.',
    how:
      'The process of a FUSE driver died, an NFS server went away, a disk was detached under a running pod. The kubelet looks at every volume of ' +
      'its pods, and where one hangs, its whole loop does: pods that have nothing to do with it are no longer started or stopped.',
    lookAlikes: [
      'a slow but living NFS server: look again',
      'EACCES on a FUSE mount: it refuses root by default',
      'an automount: nobody must touch it',
      'btrfs and every network file system: their device number is no block device',
      'a list of devices that has none of the mounted ones: that of a container',
    ],
    links,
  },
  detect: (context) => {
    const pods = podsHere(context)
    const causes = driverCauses(context)
    return deadMounts(context.snapshot).map((dead) => finding(dead, {context, pods, causes}))
  },
}

interface Looked {
  readonly context: DetectContext
  readonly pods: PodsHere
  readonly causes: ReturnType<typeof driverCauses>
}

function finding(dead: DeadMount, {context, pods, causes}: Looked): Finding {
  const {snapshot} = context
  const uids = new Set(dead.mounts.flatMap(({path}) => volumeAt(snapshot, path)?.podUid ?? []))
  const subject = deadMountSubject(dead, context)
  const confirmed = confirmations(dead, uids, context)
  const severity = severityOf(dead, confirmed)
  const live = [...uids].flatMap((uid) => pods.pod(uid) ?? [])
  const ofFuse = dead.death.kind === 'error' && dead.mounts.some(({mount}) => isFuse(mount.fsType))
  return {
    code: 'V09',
    name: 'dead-or-hung-mount',
    severity,
    subject,
    message: sentence(dead, subject.path ?? '', uids, confirmed, pods),
    ...sinceAt(dead.death.kind === 'silent' ? snapshot.when - dead.death.afterMs : undefined, snapshot.when),
    next: deadMountNext(dead.death, severity === 'critical'),
    evidence: [...mountEvidence(dead, context), ...confirmed.map(({evidence}) => evidence)],
    cause: (ofFuse && subject.driver !== undefined ? causes.get(subject.driver) : undefined) ?? null,
    remedy: deadMountRemedies(dead, live, snapshot),
    links,
  }
}

export function deadMountSubject({mounts}: DeadMount, context: DetectContext): Subject {
  const {snapshot} = context
  const paths = mounts.map(({path}) => path)
  const volumes = paths.map((path) => volumeAt(snapshot, path))
  // A pod's own mount point says more than the staging path that it is bound to.
  const index = Math.max(
    0,
    volumes.findIndex((volume) => volume?.podUid !== undefined),
  )
  return subjectOf(onHost(snapshot, paths[index] ?? ''), volumes[index], podsHere(context))
}

/** Of the mounts whose device is there, only a look tells. In the looks: mounts that nobody had the time, or a worker left, to look at. An automount is one that nobody should. */
function unlooked(snapshot: Snapshot): Unseen | undefined {
  const automounts = new Set(
    (known(snapshot.readings['kernel.mounts']) ?? []).flatMap((each) => (each.fsType === 'autofs' ? [each.mountPoint] : [])),
  )
  const unread = whyUnusable(snapshot, 'disk.mounts')
  if (unread !== undefined) return {source: 'disk.mounts', why: unread}
  const looks = known(snapshot.readings['disk.mounts']) ?? []
  const left = looks.flatMap(({mountPoint, outcome}) => (outcome.state === 'skipped' && !automounts.has(mountPoint) ? [outcome.why] : []))
  const [why] = left
  return why === undefined ? undefined : {source: 'disk.mounts', why: `${left.length} of ${looks.length} mounts were not looked at: ${why}`}
}

function subjectOf(path: string, volume: VolumeAt | undefined, pods: PodsHere): Subject {
  if (volume === undefined) return {kind: 'Path', path}
  const {specName: name, ...rest} = volume
  const pod = rest.podUid === undefined ? undefined : pods.pod(rest.podUid)
  return {
    kind: 'Volume',
    ...(pod !== undefined && {namespace: pod.namespace, pod: pod.name}),
    ...(name !== undefined && {name}),
    ...rest,
    path,
  }
}

interface Confirmation {
  readonly of: 'kubelet' | 'process'
  readonly evidence: Evidence
}

/** What else shows that a mount which does not answer is lost and not slow. */
function confirmations({death}: DeadMount, podUids: ReadonlySet<string>, {snapshot}: DetectContext): Confirmation[] {
  if (death.kind !== 'silent') return []
  const health = known(snapshot.readings['kubelet.healthz'])
  const stuckLoop = health !== undefined && failedChecks(health).includes('syncloop')
  const waiting = (known(snapshot.readings.processes) ?? []).filter(
    ({state, podUid}) => state === 'D' && podUid !== undefined && podUids.has(podUid),
  )
  return [
    ...(stuckLoop ? [{of: 'kubelet', evidence: {source: 'kubelet.healthz', fact: 'the syncloop check fails'}} as const] : []),
    ...waiting.slice(0, 3).map(({pid, podUid}): Confirmation => {
      return {of: 'process', evidence: {source: 'processes', fact: `process ${pid} of pod ${podUid} is in uninterruptible sleep`}}
    }),
  ]
}

function severityOf({death, mounts}: DeadMount, confirmed: readonly Confirmation[]): Severity {
  if (death.kind !== 'silent') return 'error'
  // The kubelet lists its root and what lies directly below it at every turn.
  if (mounts.some(({path}) => !path.includes('/')) || confirmed.some((each) => each.of === 'kubelet')) return 'critical'
  return death.afterMs >= slowMs || confirmed.length > 0 ? 'error' : 'warning'
}

function sentence(
  {death, mounts}: DeadMount,
  path: string,
  uids: ReadonlySet<string>,
  confirmed: readonly Confirmation[],
  pods: PodsHere,
): string {
  const more = mounts.length === 1 ? '' : ` and ${mounts.length - 1} more of the same`
  const users = [...uids].slice(0, 3).map((uid) => podName(pods, uid))
  const whose = users.length === 0 ? '' : ` of ${users.join(', ')}${uids.size > 3 ? ' …' : ''}`
  const [first] = mounts
  const what = `The mount ${path} (${first === undefined ? '' : describeMount(first.mount)})${whose}${more}`
  if (death.kind === 'device-gone') return `${what} lies on block device ${death.device}, which the kernel no longer has.`
  if (death.kind === 'error') return `${what} is dead: to look at it gives ${death.code}.`
  const hung = `${what} did not answer within ${formatDuration(death.afterMs)}`
  if (confirmed.length > 0) return `${hung}, and others hang with it.`
  return death.afterMs >= slowMs ? `${hung}.` : `${hung}: it is slow or lost, one look cannot tell.`
}

function mountEvidence({death, mounts}: DeadMount, {snapshot}: DetectContext): Evidence[] {
  const shown = mounts.slice(0, 5)
  const source = death.kind === 'device-gone' ? 'kernel.devices' : 'disk.mounts'
  const fact =
    death.kind === 'device-gone'
      ? `no device has the number ${death.device}`
      : death.kind === 'error'
        ? `statx gave ${death.code}`
        : `statx gave nothing within ${formatDuration(death.afterMs)}`
  return [
    {source, fact},
    ...shown.map(({path, mount}) => ({
      source: 'kernel.mounts',
      fact: `${onHost(snapshot, path)} is ${describeMount(mount)} (${mount.device})`,
    })),
    ...(mounts.length > shown.length ? [{source: 'kernel.mounts', fact: `${mounts.length - shown.length} more`}] : []),
  ]
}
