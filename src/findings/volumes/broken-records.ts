// vol_data.json files that the kubelet cannot use: V02, and what follows from it.
import {oncePer} from '../../base/once-per.ts'
import {type KubeletDirs, kubeletDirs} from '../../kubelet/traces/kubelet-dirs.ts'
import {type KubeletMounts, kubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import type {RecordKind} from '../../kubelet/traces/vol-record.ts'
import type {EntryType} from '../../node/disk.ts'
import {blockDirs, csiEscaped, csiPluginDir, podVolumeDir} from '../../node/layout.ts'
import {known, whole} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {isUnlooked, type VolDataFile} from '../../node/vol-data.ts'
import type {Unseen} from '../detector.ts'

export interface BrokenRecord {
  readonly kind: RecordKind
  /** Of the file, below the kubelet's root. */
  readonly path: string
  /** The directory of the volume that it is about, below the kubelet's root. */
  readonly folder: string
  /** 'it is missing', 'it is empty' … */
  readonly why: string
  readonly missing: boolean
  /** Undefined of a staged filesystem. */
  readonly specName: string | undefined
  /** Pods whose directories have the volume. */
  readonly podUids: readonly string[]
  /** Where the volume is mounted, below the kubelet's root; undefined when the mount table was not read. */
  readonly mounts: readonly string[] | undefined
}

/** All that is broken, harmful or not. Empty when the directories or the files were not read to their end. */
export const brokenRecords: (snapshot: Snapshot) => readonly BrokenRecord[] = oncePer((snapshot) => {
  const entries = whole(snapshot.readings['disk.entries'])
  const files = whole(snapshot.readings['disk.vol-data'])
  if (entries === undefined || files === undefined) return []
  const dirs = kubeletDirs(entries)
  const data = new Map(files.map((file) => [file.path, file.data]))
  const mounts = known(snapshot.readings['kernel.mounts']) && kubeletMounts(snapshot)
  return [...ofPods(dirs, data, mounts), ...ofBlockVolumes(dirs, data, mounts), ...ofStaging(dirs, data, mounts)]
})

type DataByPath = ReadonlyMap<string, VolDataFile['data']>
const name = 'vol_data.json'

function ofPods(dirs: KubeletDirs, data: DataByPath, mounts: KubeletMounts | undefined): BrokenRecord[] {
  return dirs.names('pods').flatMap((podUid) =>
    dirs.names(`pods/${podUid}/volumes/${csiEscaped}`).flatMap((specName): BrokenRecord[] => {
      const folder = podVolumeDir(podUid, specName)
      const path = `${folder}/${name}`
      const why = brokenBy(dirs, data, path)
      if (why === undefined) return []
      return [{kind: 'pod', path, folder, why, missing: why === missing, specName, podUids: [podUid], mounts: mounts?.pathsWithin(folder)}]
    }),
  )
}

/** One file for all pods that have the volume. */
function ofBlockVolumes(dirs: KubeletDirs, data: DataByPath, mounts: KubeletMounts | undefined): BrokenRecord[] {
  const links = dirs
    .names('pods')
    .flatMap((podUid) => dirs.names(`pods/${podUid}/volumeDevices/${csiEscaped}`).map((specName) => ({podUid, specName})))
  const linked = Map.groupBy(links, ({specName}) => specName)
  const folders = dirs.names(`${csiPluginDir}/volumeDevices`).filter((each) => each !== 'staging' && each !== 'publish')
  const specNames = new Set([...folders, ...dirs.names(blockDirs.allStaging), ...dirs.names(blockDirs.allPublish), ...linked.keys()])
  return [...specNames].sort().flatMap((specName): BrokenRecord[] => {
    const path = `${blockDirs.data(specName)}/${name}`
    const why = brokenBy(dirs, data, path)
    if (why === undefined) return []
    const users = [...(linked.get(specName) ?? []).map(({podUid}) => podUid), ...dirs.names(blockDirs.publish(specName))]
    const podUids = [...new Set([...users, ...dirs.names(blockDirs.dev(specName))])]
    const inUse = mounts && [blockDirs.publish(specName), blockDirs.dev(specName)].flatMap((each) => mounts.pathsWithin(each))
    return [{kind: 'block', path, folder: blockDirs.data(specName), why, missing: why === missing, specName, podUids, mounts: inUse}]
  })
}

/** Without the file a globalmount is what drivers without STAGE_UNSTAGE_VOLUME have (1.34 and later): only a bad file is broken. */
function ofStaging(dirs: KubeletDirs, data: DataByPath, mounts: KubeletMounts | undefined): BrokenRecord[] {
  const drivers = dirs.names(csiPluginDir).filter((each) => each !== 'volumeDevices')
  return drivers.flatMap((driver) =>
    dirs.names(`${csiPluginDir}/${driver}`).flatMap((volume): BrokenRecord[] => {
      const folder = `${csiPluginDir}/${driver}/${volume}`
      const path = `${folder}/${name}`
      const why = dirs.get(`${folder}/globalmount`) === undefined ? undefined : brokenBy(dirs, data, path)
      if (why === undefined || why === missing) return []
      const specName = driver === 'pv' ? volume : undefined
      return [
        {kind: 'staging', path, folder, why, missing: false, specName, podUids: [], mounts: mounts?.pathsWithin(`${folder}/globalmount`)},
      ]
    }),
  )
}

const missing = 'it is missing'

/** A link is followed by the kubelet, and not by us. */
const notFile: Readonly<Record<EntryType, string | undefined>> = {
  file: undefined,
  link: undefined,
  directory: 'it is a directory, not a file',
  socket: 'it is a socket, not a file',
  block: 'it is a device, not a file',
  character: 'it is a device, not a file',
  fifo: 'it is a FIFO, not a file',
  other: 'it is something else than a file',
}

/** The first record that a kubelet reads and we do not, as unseen. */
export function unlookedRecord({readings}: Snapshot): Unseen | undefined {
  const [first, ...others] = (known(readings['disk.vol-data']) ?? []).flatMap(({path, data}) =>
    'unreadable' in data && isUnlooked(data.unreadable) ? [`${path} was not looked at: ${data.unreadable}`] : [],
  )
  if (first === undefined) return undefined
  return {source: 'disk.vol-data', why: others.length === 0 ? first : `${first}; and ${others.length} more like it`}
}

/** Why the kubelet cannot use a record; undefined when it can, or when nobody could look. */
function brokenBy(dirs: KubeletDirs, data: DataByPath, path: string): string | undefined {
  const record = data.get(path)
  const entry = dirs.get(path)
  if (record === undefined) {
    if (entry === undefined) return missing
    return notFile[entry.type]
  }
  // What is wrong with the text begins so (node/vol-data.ts); all else is why nobody could read it.
  if ('unreadable' in record) return /^its? /.test(record.unreadable) && !isUnlooked(record.unreadable) ? record.unreadable : undefined
  if (!record.driverName) return 'it names no driver'
  return record.volumeHandle ? undefined : 'it names no volume handle'
}
