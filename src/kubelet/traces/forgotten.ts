// What the CSI plugin's directories hold and a restarted kubelet never looks at: staged volumes without an entry in a pod's directory,
// published block volumes without the pod's link (kubernetes/kubernetes#85476, the restart holes).
import {blockDirs, csiEscaped, csiPluginDir} from '../../node/layout.ts'
import type {VolDataFile} from '../../node/vol-data.ts'
import type {KubeletDirs} from './kubelet-dirs.ts'

export interface ForgottenVolume {
  /** `staged`: NodeStageVolume was or may have been called. `published`: NodePublishVolume was or may have been. */
  readonly what: 'staged' | 'published'
  readonly mode: 'filesystem' | 'block'
  /** The staging path or, of a published one, the target path: below the kubelet's root. */
  readonly path: string
  /** The PersistentVolume's name, where a directory bears it. */
  readonly specName: string | undefined
  readonly driver: string | undefined
  readonly handle: string | undefined
  /** The pod that a published block volume's file is named after. */
  readonly podUid: string | undefined
  /** Milliseconds since 1970, when somebody captured it: the directory was made or last changed then. */
  readonly modifiedAt: number | undefined
}

interface Known {
  readonly driver: string
  readonly handle: string
}

type DataByPath = ReadonlyMap<string, VolDataFile['data']>

export function forgottenVolumes(dirs: KubeletDirs, data: DataByPath, volumes: readonly Known[]): ForgottenVolume[] {
  return [...stagedFilesystems(dirs, data, volumes), ...blockVolumes(dirs, data)]
}

/** <driver>/<sha256>/ since 1.24, pv/<pv name>/ before: both have vol_data.json beside globalmount once the kubelet means to stage. */
function stagedFilesystems(dirs: KubeletDirs, data: DataByPath, volumes: readonly Known[]): ForgottenVolume[] {
  const known = new Set(volumes.map((volume) => `${volume.driver}^${volume.handle}`))
  const drivers = dirs.names(csiPluginDir).filter((name) => name !== 'volumeDevices')
  return drivers.flatMap((driver) =>
    dirs.names(`${csiPluginDir}/${driver}`).flatMap((name): ForgottenVolume[] => {
      const folder = `${csiPluginDir}/${driver}/${name}`
      const file = data.get(`${folder}/vol_data.json`)
      if (file === undefined || 'unreadable' in file || !file.driverName || !file.volumeHandle) return []
      if (known.has(`${file.driverName}^${file.volumeHandle}`)) return []
      return [
        {
          what: 'staged',
          mode: 'filesystem',
          path: `${folder}/globalmount`,
          specName: driver === 'pv' ? name : undefined,
          driver: file.driverName,
          handle: file.volumeHandle,
          podUid: undefined,
          modifiedAt: dirs.get(`${folder}/vol_data.json`)?.modifiedAt,
        },
      ]
    }),
  )
}

function blockVolumes(dirs: KubeletDirs, data: DataByPath): ForgottenVolume[] {
  // The link counts, whatever can be read of the volume: it leads the kubelet there.
  const links = dirs.names('pods').flatMap((podUid) => {
    return dirs.names(`pods/${podUid}/volumeDevices/${csiEscaped}`).map((specName) => ({specName, podUid}))
  })
  const usersOf = Map.groupBy(links, ({specName}) => specName)
  const specNames = new Set([...dirs.names(blockDirs.allStaging), ...dirs.names(blockDirs.allPublish)])
  return [...specNames].sort().flatMap((specName): ForgottenVolume[] => {
    const file = data.get(`${blockDirs.data(specName)}/vol_data.json`)
    const named = file === undefined || 'unreadable' in file ? undefined : file
    const common = {mode: 'block', specName, driver: named?.driverName, handle: named?.volumeHandle} as const
    const forgotten = (what: ForgottenVolume['what'], path: string, podUid: string | undefined): ForgottenVolume => ({
      ...common,
      what,
      path,
      podUid,
      modifiedAt: dirs.get(path)?.modifiedAt,
    })
    const users = new Set(usersOf.get(specName)?.map(({podUid}) => podUid))
    const publish = blockDirs.publish(specName)
    if (dirs.get(publish) !== undefined) {
      const files = dirs.names(publish)
      if (files.length === 0) return users.size === 0 ? [forgotten('published', publish, undefined)] : []
      const unlinked = files.filter((podUid) => !users.has(podUid))
      return unlinked.map((podUid) => forgotten('published', `${publish}/${podUid}`, podUid))
    }
    const staging = blockDirs.staging(specName)
    return users.size === 0 && dirs.get(staging) !== undefined ? [forgotten('staged', staging, undefined)] : []
  })
}
