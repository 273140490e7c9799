// V06: containers run on the bare directory of a volume, and write to the disk of the node.
import {formatDuration} from '../../base/duration.ts'
import type {Profile} from '../../kubelet/profiles.ts'
import type {DetectContext, Detector} from '../detector.ts'
import type {Evidence, Finding, Remedy, Severity} from '../finding.ts'
import {stepGraceMs} from '../graces.ts'
import {podPresence} from '../pods/pod-presence.ts'
import {shellWord} from '../shell-word.ts'
import {sinceAt} from '../since.ts'
import {type BareVolume, bareVolumes} from './bare-volumes.ts'
import {unstagedPublishes} from './unstaged-publishes.ts'
import {unstagedSubject} from './v05-publish-without-stage.ts'

const links = [
  'https://github.com/kubernetes/kubernetes/issues/109955',
  'https://github.com/kubernetes/kubernetes/issues/126634',
  'https://github.com/kubernetes-csi/csi-driver-nfs/issues/762',
]

export const volumeDirNotMounted: Detector = {
  code: 'V06',
  name: 'volume-dir-not-mounted',
  severities: [
    {
      severity: 'critical',
      when: 'the directory lies on the same device as the one around it: what the containers write goes to the disk of the node',
    },
    {
      severity: 'error',
      when: 'the mount table has no mount there and nobody looked at the device, so that a mount out of its sight is not ruled out',
    },
    {
      severity: 'info',
      when: 'the containers are younger than 2m or of unknown age, or the mount table has no mount of any pod and may not be that of the kubelet',
    },
  ],
  graceMs: stepGraceMs,
  needs: () => [['disk.entries'], ['disk.vol-data'], ['kernel.mounts'], ['runtime.containers'], ['kubelet.pods', 'api.pods']],
  helpedBy: ['csi.drivers'],
  explain: {
    what: 'A pod runs with a persistent volume, and nothing is mounted at the directory that its containers see as the volume. What they write is on the disk of the node, and lost with the pod.',
    how:
      'The driver answered NodePublishVolume with OK and its mount did not reach the node, as without mountPropagation: Bidirectional in its pod; or ' +
      'the mount went away under the containers, by hand, with the driver or after an unstage that came too late.',
    lookAlikes: [
      'inline volumes: they need not be mounts',
      'a driver that publishes a link',
      'a pod that is starting or being deleted',
      'a mount that shows under another name of the root directory: a link, or a bind mount of it or of its parent',
      'a mount table read in a container: it lacks the mounts of the node',
    ],
    links,
  },
  detect: (context) => bareVolumes(context).map((bare) => finding(context, bare)),
}

function finding(context: DetectContext, bare: BareVolume): Finding {
  const {snapshot} = context
  const {volume, pod, containers} = bare
  const path = `${snapshot.kubeletRoot}/${volume.path}/mount`
  const cause = unstagedPublishes(context).get(volume.path)
  const severity = severityOf(bare)
  const young = bare.runningForMs !== undefined && bare.runningForMs < stepGraceMs
  const names = containers.map(({metadata}) => metadata?.name ?? '?').join(', ')
  const where = bare.device === undefined ? 'probably to the disk of the node' : 'to the disk of the node'
  return {
    code: 'V06',
    name: 'volume-dir-not-mounted',
    severity,
    subject: {
      kind: 'Volume',
      namespace: pod.namespace,
      name: volume.specName,
      pod: pod.name,
      podUid: pod.uid,
      driver: volume.driver,
      handle: volume.handle,
      path,
    },
    message: `Nothing is mounted at ${volume.specName} of ${pod.namespace}/${pod.name}, which runs (${names}): what it writes there goes ${where}, and not to ${volume.driver}${severity === 'info' ? ', if it stays so' : ''}.`,
    // The mount may have gone at any time after the containers started.
    ...sinceAt(young ? snapshot.when - bare.runningForMs : undefined, snapshot.when),
    next: next(context.profile),
    evidence: evidenceOf(context, bare),
    cause: cause === undefined ? null : {code: 'V05', subject: unstagedSubject(context, cause)},
    remedy: remediesFor(context, bare, path, severity),
    links,
  }
}

function next({switches}: Profile): string {
  const restart = switches.has('reconstruct-uncertain') ? ', and for every driver after a start of its own' : ''
  return `The kubelet does nothing about it, as it does not look whether what it published is still mounted: it calls NodePublishVolume again only for a driver with requiresRepublish, every 60 to 90s${restart}.`
}

function severityOf({runningForMs, device, trusted}: BareVolume): Severity {
  if (runningForMs === undefined || runningForMs < stepGraceMs || !trusted) return 'info'
  return device === undefined ? 'error' : 'critical'
}

function evidenceOf({snapshot}: DetectContext, {volume, pod, containers, runningForMs, device, trusted, files}: BareVolume): Evidence[] {
  const age = runningForMs === undefined ? 'for a time that nobody tells' : `for ${formatDuration(runningForMs)}`
  const target = `${volume.path}/mount`
  const around =
    device === undefined ? [] : [{source: 'disk.entries', fact: `it lies on device ${device}, as the directory around it does`}]
  const seen = files === 0 ? [] : [{source: 'disk.entries', fact: `${files === 1 ? '1 entry lies' : `${files} entries lie`} in it`}]
  const table = trusted
    ? 'has no mount there, under any name of the root directory'
    : 'has no mount below pods/ at all: is it that of the kubelet?'
  return [
    {source: 'kernel.mounts', fact: `${target}: the mount table ${table}`},
    {source: 'disk.vol-data', fact: `${volume.path}/vol_data.json says Persistent: volume ${volume.handle} of ${volume.driver}`},
    ...around,
    ...seen,
    {source: podPresence(snapshot).sourceOf(pod.uid) ?? 'kubelet.pods', fact: `${pod.namespace}/${pod.name} is Running`},
    {source: 'runtime.containers', fact: `${containers.length === 1 ? '1 container runs' : `${containers.length} containers run`} ${age}`},
  ]
}

function remediesFor({snapshot}: DetectContext, {volume, pod}: BareVolume, path: string, severity: Severity): Remedy[] {
  const look: Remedy = {
    command: `findmnt --task 1 --target ${shellWord(path)}`,
    why: 'must name the volume; when it names the disk of the node, it is so',
    loses: null,
  }
  if (severity === 'info') return [look]
  const copy = `/var/tmp/${pod.uid}-${volume.specName}`
  return [
    look,
    {command: `kubectl cordon ${shellWord(snapshot.node || 'NODE')}`, why: 'no other pod should get a volume here', loses: null},
    {
      command: `cp -a ${shellWord(path)} ${shellWord(copy)}`,
      why: 'first of all: deleting the pod may remove what was written here. Copy again when the containers have stopped',
      loses: null,
    },
    {
      command: `kubectl -n ${shellWord(pod.namespace)} delete pod ${shellWord(pod.name)}`,
      why: `stops the writers; then see that the pod of ${volume.driver} has mountPropagation: Bidirectional for ${snapshot.kubeletRoot}`,
      loses: 'what is in the directory and was not copied',
    },
  ]
}
