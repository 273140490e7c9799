// Where volumes are staged on this node, and what is mounted there.
import {oncePer} from '../../base/once-per.ts'
import {type KubeletDirs, kubeletDirs} from '../../kubelet/traces/kubelet-dirs.ts'
import {kubeletMounts} from '../../kubelet/traces/kubelet-mounts.ts'
import {csiPluginDir, stagingDir} from '../../node/layout.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'

export interface StagingFolder {
  /** <driver>/<sha256> since 1.24, pv/<name> before: below the kubelet's root. */
  readonly path: string
  /** In the newer layout. */
  readonly driver: string | undefined
  /** In the older one: the PersistentVolume's name. */
  readonly specName: string | undefined
  readonly hasRecord: boolean
  /** Paths at or below its globalmount at which something is mounted: some drivers mount one level deeper. */
  readonly mounts: readonly string[]
}

/** By path. Folders of other forms are a driver's own business and left out. */
export const stagingFolders: (snapshot: Snapshot) => ReadonlyMap<string, StagingFolder> = oncePer((snapshot) => {
  const dirs = kubeletDirs(known(snapshot.readings['disk.entries']) ?? [])
  const mounted = kubeletMounts(snapshot)?.pathsWithin(csiPluginDir) ?? []
  const mountsByFolder = Map.groupBy(mounted.filter(isGlobalMount), folderOf)
  const onDisk = dirs
    .names(csiPluginDir)
    .flatMap((driver) => dirs.names(`${csiPluginDir}/${driver}`).map((name) => `${csiPluginDir}/${driver}/${name}`))
  const paths = [...new Set([...onDisk.filter((path) => dirs.get(`${path}/globalmount`) !== undefined), ...mountsByFolder.keys()])].filter(
    isKubelets,
  )
  return new Map(paths.sort().map((path) => [path, folder(path, dirs, mountsByFolder.get(path) ?? [])]))
})

/** Where a volume may be staged: in the layout of this kubelet, or of an older one that staged it. */
export function stagingPaths(driver: string, handle: string, specName: string): readonly string[] {
  return [stagingDir(driver, handle), `${csiPluginDir}/pv/${specName}`]
}

function folder(path: string, dirs: KubeletDirs, mounts: readonly string[]): StagingFolder {
  const [driver, name] = path.slice(csiPluginDir.length + 1).split('/')
  const old = driver === 'pv'
  return {
    path,
    driver: old ? undefined : driver,
    specName: old ? name : undefined,
    hasRecord: dirs.get(`${path}/vol_data.json`) !== undefined,
    mounts,
  }
}

function isGlobalMount(path: string): boolean {
  return path.slice(csiPluginDir.length).split('/')[3] === 'globalmount'
}

function folderOf(path: string): string {
  return path.slice(0, path.indexOf('/globalmount', csiPluginDir.length))
}

function isKubelets(path: string): boolean {
  const [driver, name = ''] = path.slice(csiPluginDir.length + 1).split('/')
  return driver === 'pv' || (driver !== 'volumeDevices' && /^[0-9a-f]{64}$/.test(name))
}
