// Which volume a path below the kubelet's root belongs to.
import type {Belief} from '../kubelet/reconstruct.ts'
import {blockDirs, csiPluginDir, stagingDir} from '../node/layout.ts'

export interface VolumeAt {
  readonly specName?: string
  readonly driver?: string
  readonly handle?: string
  readonly podUid?: string
}

const ofPod = /^pods\/([^/]+)\/(?:volumes|volumeDevices)\/[^/]+\/([^/]+)/
const subpath = /^pods\/([^/]+)\/volume-subpaths\/([^/]+)\//

/** Undefined for what is no volume's. Without the kubelet's directories only the path itself tells. */
export function volumePaths(belief: Belief | undefined): (path: string) => VolumeAt | undefined {
  const byPath = new Map<string, VolumeAt>()
  for (const {what, path, specName, driver, handle, podUid} of belief?.forgotten ?? []) {
    const owner = what === 'published' ? podUid : undefined
    byPath.set(path, {
      ...(specName !== undefined && {specName}),
      ...(driver !== undefined && {driver}),
      ...(handle !== undefined && {handle}),
      ...(owner !== undefined && {podUid: owner}),
    })
  }
  for (const {specName, driver, handle, podUid, path, mode} of belief?.volumes ?? []) {
    const volume = {specName, driver, handle}
    const published = {...volume, podUid}
    if (mode === 'filesystem') {
      byPath.set(`${path}/mount`, published)
      for (const staging of stagingPaths(volume)) byPath.set(staging, volume)
    } else {
      byPath.set(blockDirs.staging(specName), volume)
      byPath.set(`${blockDirs.publish(specName)}/${podUid}`, published)
      byPath.set(`${blockDirs.dev(specName)}/${podUid}`, published)
    }
  }
  return (path) => byPath.get(path) ?? byName(path)
}

/** Where a filesystem volume may be staged: since 1.24, and before. */
export function stagingPaths({driver, handle, specName}: {driver: string; handle: string; specName: string}): readonly [string, string] {
  return [`${stagingDir(driver, handle)}/globalmount`, `${csiPluginDir}/pv/${specName}/globalmount`]
}

function byName(path: string): VolumeAt | undefined {
  const [, podUid, specName] = ofPod.exec(path) ?? subpath.exec(path) ?? []
  return podUid === undefined || specName === undefined ? undefined : {podUid, specName}
}
