// Which volume a path below the kubelet's root belongs to: the path tells some of it, the vol_data.json beside it the rest.
import {oncePer} from '../../base/once-per.ts'
import {blockDirs, csiPluginDir, stagingDir} from '../../node/layout.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {VolDataFile} from '../../node/vol-data.ts'

export interface VolumeAt {
  readonly specName?: string
  readonly driver?: string
  readonly handle?: string
  readonly podUid?: string
}

const ofPod = /^(pods\/([^/]+)\/(?:volumes|volumeDevices)\/[^/]+\/([^/]+))/
const subpath = /^pods\/([^/]+)\/volume-subpaths\/([^/]+)\//
const staged = new RegExp(`^(${csiPluginDir}/([^/]+)/([^/]+))/globalmount`)
const block = new RegExp(`^${csiPluginDir}/volumeDevices/(?:(?:publish|staging)/([^/]+)(?:/([^/]+))?|([^/]+)/dev/([^/]+))$`)

/** Undefined for what is no volume's. */
export function volumeAt(snapshot: Snapshot, path: string): VolumeAt | undefined {
  const data = volDataByPath(snapshot)
  const [, folder, podUid, specName] = ofPod.exec(path) ?? []
  if (folder !== undefined) return only({podUid, specName, ...named(data.get(`${folder}/vol_data.json`))})
  const [, staging, parent, name] = staged.exec(path) ?? []
  if (staging !== undefined) return only({specName: parent === 'pv' ? name : undefined, ...named(data.get(`${staging}/vol_data.json`))})
  const [, published, ofPublished, bound, ofBound] = block.exec(path) ?? []
  const pv = published ?? bound
  if (pv !== undefined) return only({specName: pv, podUid: ofPublished ?? ofBound, ...volumeOfBlock(snapshot, pv)})
  const [, owner, volume] = subpath.exec(path) ?? []
  return owner === undefined ? undefined : only({podUid: owner, specName: volume})
}

/** What a raw block volume's vol_data.json says. There is one for all pods. */
export function volumeOfBlock(snapshot: Snapshot, specName: string): Pick<VolumeAt, 'driver' | 'handle'> {
  return only(named(volDataByPath(snapshot).get(`${blockDirs.data(specName)}/vol_data.json`)))
}

/** Where a filesystem volume may be staged: since 1.24, and before. */
export function stagingPaths({driver, handle, specName}: {driver: string; handle: string; specName: string}): readonly [string, string] {
  return [`${stagingDir(driver, handle)}/globalmount`, `${csiPluginDir}/pv/${specName}/globalmount`]
}

const volDataByPath = oncePer(
  ({readings}: Snapshot): ReadonlyMap<string, VolDataFile['data']> =>
    new Map((known(readings['disk.vol-data']) ?? []).map(({path, data}) => [path, data])),
)

function named(data: VolDataFile['data'] | undefined) {
  if (data === undefined || 'unreadable' in data) return {}
  return {driver: data.driverName || undefined, handle: data.volumeHandle || undefined}
}

function only(at: {[Key in keyof VolumeAt]?: string | undefined}): VolumeAt {
  return Object.fromEntries(Object.entries(at).filter(([, value]) => value !== undefined))
}
