// A CSI volume of a pod, with the names that the kubelet gives it (pkg/volume/csi).
import {createHash} from 'node:crypto'
import {uniqueVolumeName} from '../../src/node/layout.ts'

export interface PodVolume {
  /** The volume's name in the pod. */
  readonly name: string
  /** The PersistentVolume's name; of an inline volume its name in the pod. */
  readonly specName: string
  readonly driver: string
  readonly handle: string
  readonly block: boolean
  readonly inline: boolean
  readonly pod: {readonly namespace: string; readonly name: string; readonly uid: string}
}

export const nodeName = 'n1'

export function uniqueNameOf({inline, driver, handle, name, pod}: PodVolume): string {
  return inline ? `kubernetes.io/csi/${pod.uid}-${name}` : uniqueVolumeName(driver, handle)
}

/** csi_plugin.go, makeVolumeHandle. */
export function inlineHandle(podUid: string, name: string): string {
  return `csi-${sha256(podUid + name)}`
}

/** What a vol_data.json of the pod's or of a raw block volume holds; Go writes the keys of a map in their order. */
export function volData(volume: PodVolume): string {
  const {driver, handle, specName, inline, block} = volume
  return JSON.stringify({
    attachmentID: `csi-${sha256(handle + driver + nodeName)}`,
    driverName: driver,
    nodeName,
    specVolID: specName,
    volumeHandle: handle,
    ...(!block && {volumeLifecycleMode: inline ? 'Ephemeral' : 'Persistent'}),
  })
}

export function stagingVolData({driver, handle}: PodVolume): string {
  return JSON.stringify({driverName: driver, volumeHandle: handle})
}

/** podInfoOnMount's, and for an inline volume the mark that it is one. */
export function publishContext({inline, pod}: PodVolume): ReadonlyMap<string, string> {
  if (!inline) return new Map()
  return new Map([
    ['csi.storage.k8s.io/ephemeral', 'true'],
    ['csi.storage.k8s.io/pod.name', pod.name],
    ['csi.storage.k8s.io/pod.namespace', pod.namespace],
    ['csi.storage.k8s.io/pod.uid', pod.uid],
  ])
}

/** operation_generator.go and reconciler_common.go, GenerateMsgDetailed of a volume to mount. */
export function detailed(volume: PodVolume, prefix: string, suffix = ''): string {
  const {specName, pod} = volume
  return `${prefix} for volume "${specName}" (UniqueName: "${uniqueNameOf(volume)}") pod "${pod.name}" (UID: "${pod.uid}") ${suffix}`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
