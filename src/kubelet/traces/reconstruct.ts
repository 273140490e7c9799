// What a kubelet that starts now would believe of its volumes (volumemanager/reconciler/reconstruct.go), and what it would never learn.
// It scans pods/*/volumes and pods/*/volumeDevices only: what lies below plugins/kubernetes.io/csi without an entry there is forgotten.
import {blockDirs, csiEscaped, podDeviceLink, podVolumeDir, uniqueVolumeName} from '../../node/layout.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {VolData, VolDataFile} from '../../node/vol-data.ts'
import type {Profile} from '../profiles.ts'
import {uncertainAtStart} from '../volumes/uncertain-at-start.ts'
import {type ForgottenVolume, forgottenVolumes} from './forgotten.ts'
import {type KubeletDirs, kubeletDirs} from './kubelet-dirs.ts'
import {type KubeletMounts, kubeletMounts} from './kubelet-mounts.ts'

export interface BelievedVolume {
  /** kubernetes.io/csi/<driver>^<handle>. */
  readonly uniqueName: string
  readonly specName: string
  readonly driver: string
  readonly handle: string
  readonly mode: 'filesystem' | 'block'
  /** Inline in the pod, without a PersistentVolume. */
  readonly ephemeral: boolean
  readonly podUid: string
  /** Its entry in the pod's directory, below the kubelet's root. */
  readonly path: string
  readonly mount: 'VolumeMounted' | 'VolumeMountUncertain' | 'VolumeNotMounted'
  /** Whether the kernel says that something is mounted (filesystem), or that the device file is there (block); undefined when the mount table was not read. */
  readonly published: boolean | undefined
}

/** An entry of a pod that the kubelet cannot turn into a volume: it tries one clean-up and forgets it. */
export interface UnreadableVolume {
  readonly podUid: string
  readonly specName: string
  readonly path: string
  readonly why: string
}

export interface Belief {
  readonly volumes: readonly BelievedVolume[]
  readonly unreadable: readonly UnreadableVolume[]
  readonly forgotten: readonly ForgottenVolume[]
  /** Pod UID to the number of its entries that a claim can be behind, of whatever plugin. */
  readonly persistent: ReadonlyMap<string, number>
}

/** Pure. Undefined when the kubelet's directories or their vol_data.json files were not read. */
export function reconstruct(snapshot: Snapshot, profile: Profile): Belief | undefined {
  const entries = known(snapshot.readings['disk.entries'])
  const files = known(snapshot.readings['disk.vol-data'])
  if (entries === undefined || files === undefined) return undefined
  const dirs = kubeletDirs(entries)
  const data = new Map(files.map((file) => [file.path, file.data]))
  const found = dirs.names('pods').flatMap((podUid) => [...filesystemVolumes(dirs, data, podUid), ...blockVolumes(dirs, data, podUid)])
  const mounts = kubeletMounts(snapshot)
  const volumes = found.filter((each): each is Found => !('why' in each)).map((each) => believe(each, dirs, mounts, profile))
  const unreadable = found.filter((each): each is UnreadableVolume => 'why' in each)
  return {volumes, unreadable, forgotten: forgottenVolumes(dirs, data, volumes), persistent: persistentEntries(dirs, volumes)}
}

/** Plugins whose volumes have no claim. */
const withoutClaim = new Set(
  ['configmap', 'secret', 'projected', 'downward-api', 'empty-dir', 'git-repo', 'host-path', 'image'].map(
    (name) => `kubernetes.io~${name}`,
  ),
)

function persistentEntries(dirs: KubeletDirs, volumes: readonly BelievedVolume[]): ReadonlyMap<string, number> {
  const inline = new Set(volumes.filter(({ephemeral}) => ephemeral).map(({path}) => path))
  return new Map(
    dirs.names('pods').map((podUid) => {
      const folders = ['volumes', 'volumeDevices'].flatMap((kind) =>
        dirs
          .names(`pods/${podUid}/${kind}`)
          .filter((plugin) => !withoutClaim.has(plugin))
          .map((plugin) => `pods/${podUid}/${kind}/${plugin}`),
      )
      return [podUid, folders.flatMap((folder) => dirs.names(folder).filter((name) => !inline.has(`${folder}/${name}`))).length]
    }),
  )
}

type Found = Omit<BelievedVolume, 'mount' | 'published' | 'uniqueName'>
type DataByPath = ReadonlyMap<string, VolDataFile['data']>

function filesystemVolumes(dirs: KubeletDirs, data: DataByPath, podUid: string): (Found | UnreadableVolume)[] {
  return dirs.names(`pods/${podUid}/volumes/${csiEscaped}`).map((specName) => {
    const path = podVolumeDir(podUid, specName)
    return foundVolume(data.get(`${path}/vol_data.json`), {podUid, specName, path, mode: 'filesystem'})
  })
}

function blockVolumes(dirs: KubeletDirs, data: DataByPath, podUid: string): (Found | UnreadableVolume)[] {
  return dirs.names(`pods/${podUid}/volumeDevices/${csiEscaped}`).map((specName) => {
    const path = podDeviceLink(podUid, specName)
    return foundVolume(data.get(`${blockDirs.data(specName)}/vol_data.json`), {podUid, specName, path, mode: 'block'})
  })
}

function foundVolume(
  data: VolDataFile['data'] | undefined,
  at: Pick<Found, 'podUid' | 'specName' | 'path' | 'mode'>,
): Found | UnreadableVolume {
  const {podUid, specName, path} = at
  if (data === undefined) return {podUid, specName, path, why: 'it has no vol_data.json'}
  if ('unreadable' in data) return {podUid, specName, path, why: data.unreadable}
  const named = driverAndHandle(data)
  if (named === undefined) return {podUid, specName, path, why: 'its vol_data.json names no driver or no volume handle'}
  return {...at, ...named, ephemeral: data.volumeLifecycleMode === 'Ephemeral'}
}

function driverAndHandle(data: VolData): {driver: string; handle: string} | undefined {
  if (!data.driverName || !data.volumeHandle) return undefined
  return {driver: data.driverName, handle: data.volumeHandle}
}

function believe(found: Found, dirs: KubeletDirs, mounts: KubeletMounts | undefined, profile: Profile): BelievedVolume {
  const published =
    found.mode === 'filesystem'
      ? mounts && mounts.at(`${found.path}/mount`).length > 0
      : dirs.get(`${blockDirs.publish(found.specName)}/${found.podUid}`) !== undefined
  return {...found, published, uniqueName: uniqueVolumeName(found.driver, found.handle), mount: mountState(published, profile)}
}

function mountState(published: boolean | undefined, profile: Profile): BelievedVolume['mount'] {
  if (uncertainAtStart(profile)) return 'VolumeMountUncertain'
  return published === false ? 'VolumeNotMounted' : 'VolumeMounted'
}
