// The kubelet's directory layout (pkg/kubelet/kubelet_getters.go, pkg/volume/csi). All paths are below the kubelet's root.
import {createHash} from 'node:crypto'

export const csiPluginDir = 'plugins/kubernetes.io/csi'
/** `kubernetes.io/csi` as a directory name: the kubelet writes '/' as '~'. */
export const csiEscaped = 'kubernetes.io~csi'

/** pkg/volume/csi: the name that the volume manager's two worlds use. A driver's name cannot contain '^'. */
export function uniqueVolumeName(driver: string, handle: string): string {
  return `kubernetes.io/csi/${driver}^${handle}`
}

/** csi_attacher.go, makeDeviceMountPath: <driver>/<sha256 of the handle>, since 1.24. */
export function stagingDir(driver: string, handle: string): string {
  return `${csiPluginDir}/${driver}/${createHash('sha256').update(handle).digest('hex')}`
}

/** csi_attacher.go, makeDeviceMountPath up to 1.23. */
export function oldStagingDir(pvName: string): string {
  return `${csiPluginDir}/pv/${pvName}`
}

/** csi_block.go: where a raw block volume's directories lie. */
export const blockDirs = {
  allStaging: `${csiPluginDir}/volumeDevices/staging`,
  allPublish: `${csiPluginDir}/volumeDevices/publish`,
  data: (specName: string) => `${csiPluginDir}/volumeDevices/${specName}/data`,
  dev: (specName: string) => `${csiPluginDir}/volumeDevices/${specName}/dev`,
  staging: (specName: string) => `${csiPluginDir}/volumeDevices/staging/${specName}`,
  publish: (specName: string) => `${csiPluginDir}/volumeDevices/publish/${specName}`,
} as const

/** Where a filesystem volume of a pod is published: the driver makes `mount` in it, the kubelet vol_data.json. */
export function podVolumeDir(podUid: string, specName: string): string {
  return `pods/${podUid}/volumes/${csiEscaped}/${specName}`
}

/** The link that the kubelet makes last, after a raw block volume was published. */
export function podDeviceLink(podUid: string, specName: string): string {
  return `pods/${podUid}/volumeDevices/${csiEscaped}/${specName}`
}
