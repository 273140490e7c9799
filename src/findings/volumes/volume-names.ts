// Which driver and handle belong to a name of the kubelet's, by whatever else tells it.
import {oncePer} from '../../base/once-per.ts'
import type {BelievedVolume} from '../../kubelet/traces/reconstruct.ts'
import {isInlineHandle} from '../../kubelet/traces/vol-record.ts'
import {csiPluginDir, stagingDir} from '../../node/layout.ts'
import {known} from '../../node/reading.ts'
import type {DetectContext} from '../detector.ts'

export interface NamedVolume {
  readonly driver: string
  readonly handle: string
  readonly specName: string | undefined
  /** The source that says so. */
  readonly source: 'kubelet.log' | 'disk.vol-data'
}

export interface VolumeNames {
  /** By the PersistentVolume's name; for the inline volumes of a pod by their name in it. Undefined when two answers differ. */
  bySpecName(specName: string, podUid?: string): NamedVolume | undefined
  /** By the folder of its globalmount, in both layouts. */
  byStagingFolder(folder: string): NamedVolume | undefined
  /** The volume of an entry in a pod's directory. */
  byPodPath(path: string): BelievedVolume | undefined
}

export const volumeNames: (context: DetectContext) => VolumeNames = oncePer(({belief, trace, snapshot}) => {
  const volumes = belief?.volumes ?? []
  const told: (NamedVolume & {podUid: string | undefined})[] = [
    ...volumes.map((volume) => ({...volume, source: 'disk.vol-data' as const})),
    ...trace.names.map((name) => ({...name, source: 'kubelet.log' as const})),
    ...recordsOfOldLayout(known(snapshot.readings['disk.vol-data']) ?? []),
  ]
  const bySpec = Map.groupBy(told, ({specName, handle, podUid}) => (isInlineHandle(handle) ? `${podUid}/${specName}` : `${specName}`))
  const byFolder = Map.groupBy(told, ({driver, handle}) => stagingDir(driver, handle))
  const byPath = new Map(volumes.map((volume) => [volume.path, volume]))
  const bySpecName = (specName: string, podUid?: string) =>
    onlyOne(bySpec.get(specName)) ?? (podUid === undefined ? undefined : onlyOne(bySpec.get(`${podUid}/${specName}`)))
  return {
    bySpecName,
    byStagingFolder: (folder) => {
      const old = `${csiPluginDir}/pv/`
      return folder.startsWith(old) ? bySpecName(folder.slice(old.length)) : onlyOne(byFolder.get(folder))
    },
    byPodPath: (path) => byPath.get(path),
  }
})

/** Up to 1.23 the folder of a staged volume bears the PersistentVolume's name. */
function recordsOfOldLayout(files: readonly {path: string; data: {driverName?: string; volumeHandle?: string} | {unreadable: string}}[]) {
  return files.flatMap(({path, data}) => {
    const specName = /^plugins\/kubernetes\.io\/csi\/pv\/([^/]+)\/vol_data\.json$/.exec(path)?.[1]
    if (specName === undefined || 'unreadable' in data || !data.driverName || !data.volumeHandle) return []
    return [{driver: data.driverName, handle: data.volumeHandle, specName, podUid: undefined, source: 'disk.vol-data' as const}]
  })
}

function onlyOne(found: readonly NamedVolume[] = []): NamedVolume | undefined {
  const [first, ...others] = found
  if (first === undefined) return undefined
  return others.every(({driver, handle}) => driver === first.driver && handle === first.handle) ? first : undefined
}
