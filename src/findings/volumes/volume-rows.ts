// Every volume that a pod's directory or the CSI plugin's directories show, with what the kubelet must believe of it and what we make of it.

import type {Profile} from '../../kubelet/profiles.ts'
import type {ForgottenVolume} from '../../kubelet/traces/forgotten.ts'
import type {KubeletDirs} from '../../kubelet/traces/kubelet-dirs.ts'
import {kubeletDirs} from '../../kubelet/traces/kubelet-dirs.ts'
import type {BelievedVolume, UnreadableVolume} from '../../kubelet/traces/reconstruct.ts'
import {blockDirs} from '../../node/layout.ts'
import type {Mount} from '../../node/mountinfo.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {contextOf, detectIn} from '../detect.ts'
import type {DetectContext} from '../detector.ts'
import {detectors} from '../detectors.ts'
import type {Subject} from '../finding.ts'
import {mountsBelowRoot} from '../mounts/root-mounts.ts'
import type {CallStanding} from '../uncertain/uncertain-call.ts'
import {uncertainVolumes} from '../uncertain/uncertain-volume.ts'
import {volumeCodes} from './volume-codes.ts'
import {stagingPaths} from './volume-paths.ts'

export interface VolumeRow {
  /** What is known of the pod; none of an orphan. */
  readonly namespace?: string
  readonly pod?: string
  readonly podUid?: string
  /** The PersistentVolume's name, or the pod's own for an inline volume. */
  readonly volume?: string
  readonly driver?: string
  readonly handle?: string
  readonly mode: 'filesystem' | 'block'
  readonly inline: boolean
  readonly stage: 'mounted' | 'directory' | 'none' | 'unknown'
  readonly publish: 'mounted' | 'not mounted' | 'unknown'
  /** Of what is mounted: the device's name, else its 'major:minor'. */
  readonly device?: string
  /** What the kubelet must believe, in its own words; 'forgotten' where it has no way to learn of it. */
  readonly state: string
  /** Why it cannot be read, where it cannot. */
  readonly why?: string
  /** Codes of `check` about it. */
  readonly codes: readonly string[]
}

interface Places {
  readonly dirs: KubeletDirs
  /** Names of devices by mount point, below the root. Undefined when the mount table was not read. */
  readonly mounted: ReadonlyMap<string, string> | undefined
  readonly pods: ReadonlyMap<string, {readonly namespace: string; readonly name: string}>
  readonly codes: ReturnType<typeof volumeCodes>
}

/** Undefined when the kubelet's directories or their vol_data.json files were not read. */
export function volumeRows(snapshot: Snapshot, profile: Profile): VolumeRow[] | undefined {
  const context = contextOf(snapshot, profile)
  const {belief} = context
  if (belief === undefined) return undefined
  const places = placesOf(context)
  const pending = pendingStates(context)
  const rows = [
    ...belief.volumes.map((volume) => believedRow(volume, places)),
    ...belief.unreadable.map((volume) => unreadableRow(volume, places)),
    ...belief.forgotten.map((volume) => forgottenRow(volume, places, pending.get(`${snapshot.kubeletRoot}/${volume.path}`))),
  ]
  return rows.toSorted((a, b) => compare(sortKey(a), sortKey(b)))
}

function placesOf(context: DetectContext): Places {
  const {snapshot} = context
  const names = new Map((known(snapshot.readings['kernel.devices']) ?? []).map(({device, name}) => [device, name]))
  const read = known(snapshot.readings['kernel.mounts']) !== undefined
  const pods = [...(known(snapshot.readings['api.pods']) ?? []), ...(known(snapshot.readings['kubelet.pods']) ?? [])]
  return {
    dirs: kubeletDirs(known(snapshot.readings['disk.entries']) ?? []),
    mounted: read ? new Map(mountsBelowRoot(snapshot).map(({path, mount}) => [path, deviceOf(mount, names)])) : undefined,
    pods: new Map(pods.map((pod) => [pod.uid, pod])),
    codes: volumeCodes(snapshot, detectIn(context, detectors).findings),
  }
}

/** A device file that is bound, as raw block volumes are, lies on devtmpfs: its path there is the device's name. */
function deviceOf({device, fsType, root}: Mount, names: ReadonlyMap<string, string>): string {
  return fsType === 'devtmpfs' && root !== '/' ? root.slice(1) : (names.get(device) ?? device)
}

function believedRow(volume: BelievedVolume, places: Places): VolumeRow {
  const {podUid, specName, driver, handle, mode, ephemeral, path} = volume
  const target = mode === 'filesystem' ? `${path}/mount` : `${blockDirs.publish(specName)}/${podUid}`
  const staging = mode === 'filesystem' ? stagingPaths(volume) : [blockDirs.staging(specName)]
  const device = [target, ...staging].map((place) => places.mounted?.get(place)).find((each) => each !== undefined)
  const row = {podUid, volume: specName, driver, handle}
  return {
    ...podOf(podUid, places),
    ...row,
    mode,
    inline: ephemeral,
    stage: ephemeral ? 'none' : stageOf(staging, places),
    publish: volume.published === undefined ? 'unknown' : volume.published ? 'mounted' : 'not mounted',
    ...(device !== undefined && {device: device}),
    state: volume.mount,
    codes: places.codes(row, path),
  }
}

function unreadableRow({podUid, specName, path, why}: UnreadableVolume, places: Places): VolumeRow {
  const row = {podUid, volume: specName}
  const block = path.includes('/volumeDevices/')
  const target = block ? `${blockDirs.publish(specName)}/${podUid}` : `${path}/mount`
  const device = places.mounted?.get(target)
  return {
    ...podOf(podUid, places),
    ...row,
    mode: block ? 'block' : 'filesystem',
    inline: false,
    stage: 'unknown',
    publish: places.mounted === undefined ? 'unknown' : device === undefined ? 'not mounted' : 'mounted',
    ...(device !== undefined && {device: device}),
    state: 'unreadable',
    why,
    codes: places.codes(row, path),
  }
}

function forgottenRow(volume: ForgottenVolume, places: Places, pending: Pending | undefined): VolumeRow {
  const {what, mode, path, driver, handle} = volume
  const specName = volume.specName ?? pending?.subject.name
  const podUid = volume.podUid ?? pending?.subject.podUid
  const staging = what === 'staged' ? [path] : [blockDirs.staging(specName ?? '')]
  const device = places.mounted?.get(path)
  const row = {
    ...(podUid !== undefined && {podUid}),
    ...(specName !== undefined && {volume: specName}),
    ...(driver !== undefined && {driver}),
    ...(handle !== undefined && {handle}),
  }
  return {
    ...(podUid === undefined ? {} : podOf(podUid, places)),
    ...row,
    mode,
    inline: false,
    stage: stageOf(staging, places),
    publish:
      what === 'staged' ? 'not mounted' : places.mounted === undefined ? 'unknown' : device === undefined ? 'not mounted' : 'mounted',
    ...(device !== undefined && {device: device}),
    state: pending?.state ?? 'forgotten',
    codes: places.codes(row, path),
  }
}

function stageOf(paths: readonly string[], {dirs, mounted}: Places): VolumeRow['stage'] {
  if (paths.some((path) => mounted?.has(path))) return 'mounted'
  if (!paths.some((path) => dirs.get(path) !== undefined)) return 'none'
  return mounted === undefined ? 'unknown' : 'directory'
}

function podOf(uid: string, {pods}: Places): Pick<VolumeRow, 'namespace' | 'pod'> {
  const pod = pods.get(uid)
  return pod === undefined ? {} : {namespace: pod.namespace, pod: pod.name}
}

interface Pending {
  readonly state: string
  /** What the log says of the volume and its pod. */
  readonly subject: Subject
}

/** By absolute path: what a kubelet that was not restarted holds of a call whose end nobody knows. */
function pendingStates(context: DetectContext): ReadonlyMap<string, Pending> {
  const states = new Map<string, Pending>()
  for (const what of ['staged', 'published'] as const) {
    const [running, owed] = what === 'staged' ? ['DeviceNotMounted', 'DeviceMountUncertain'] : ['VolumeNotMounted', 'VolumeMountUncertain']
    for (const {path, standing, subject} of uncertainVolumes(context, what)) {
      if (path !== undefined) states.set(path, {subject, state: pendingState(standing, running, owed)})
    }
  }
  return states
}

/** While the first call runs nothing is noted; afterwards only a kubelet that remembers has it. */
function pendingState({undo, remembers}: CallStanding, running: string, owed: string): string {
  if (undo === 'running') return running
  if (undo === 'unknown') return 'unknown'
  return remembers && undo !== 'restarted' ? owed : 'forgotten'
}

function sortKey({namespace, pod, podUid, volume, handle}: VolumeRow): readonly string[] {
  // Orphans last.
  return [pod === undefined ? '1' : '0', namespace ?? '', pod ?? '', podUid ?? '', volume ?? '', handle ?? '']
}

function compare(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((each, index) => each !== b[index])
  return at === -1 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1
}
