// Where the kubelet keeps what it has of a volume: absolute paths. Upstream: kubelet_getters.go; volume/csi/csi_attacher.go, csi_block.go
import {blockDirs, oldStagingDir, podDeviceLink, podVolumeDir, stagingDir} from '../../node/layout.ts'
import type {Profile} from '../profiles.ts'
import type {VolumeSpec} from './volume-spec.ts'

const kubeletRoot = '/var/lib/kubelet'

const at = (path: string): string => `${kubeletRoot}/${path}`

export const podsDir = at('pods')
export const podDir = (uid: string): string => `${podsDir}/${uid}`
/** `volumes` of filesystem volumes, `volumeDevices` of raw block volumes. */
export const podVolumesDir = (uid: string): string => `${podDir(uid)}/volumes`
export const podDevicesDir = (uid: string): string => `${podDir(uid)}/volumeDevices`
/** With `mount`, which is the target, and vol_data.json. */
export const podVolume = (uid: string, specName: string): string => at(podVolumeDir(uid, specName))
export const targetPath = (uid: string, specName: string): string => `${podVolume(uid, specName)}/mount`
export const devicePathOf = (uid: string, specName: string): string => at(podDeviceLink(uid, specName))

export const blockPaths = {
  /** All but staging and publish. */
  volume: (specName: string): string => parentOf(at(blockDirs.data(specName))),
  data: (specName: string): string => at(blockDirs.data(specName)),
  /** Upstream: the global map path */
  dev: (specName: string): string => at(blockDirs.dev(specName)),
  staging: (specName: string): string => at(blockDirs.staging(specName)),
  publish: (specName: string): string => at(blockDirs.publish(specName)),
  publishPath: (specName: string, uid: string): string => `${at(blockDirs.publish(specName))}/${uid}`,
} as const

/** The staging path of a filesystem volume. Upstream: makeDeviceMountPath */
export function deviceMountPath(profile: Profile): (spec: VolumeSpec) => string {
  const hashed = profile.switches.has('staging-path-hashed')
  return ({name, driver, handle}) => at(`${hashed ? stagingDir(driver, handle) : oldStagingDir(name)}/globalmount`)
}

export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))
