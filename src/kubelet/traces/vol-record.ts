// The vol_data.json that the kubelet would have written (csi_mounter.go, csi_block.go, csi_attacher.go).
import {createHash} from 'node:crypto'

export interface VolumeFacts {
  readonly driver: string
  readonly handle: string
  /** The PersistentVolume's name or, of an inline volume, its name in the pod. */
  readonly specName: string
  readonly node: string
}

/** `pod`: in a pod's directory. `block`: of a raw block volume. `staging`: beside a globalmount. */
export type RecordKind = 'pod' | 'block' | 'staging'

/** One line, its keys sorted, as Go writes a map. */
export function volumeRecord(kind: RecordKind, {driver, handle, specName, node}: VolumeFacts): string {
  if (kind === 'staging') return JSON.stringify({driverName: driver, volumeHandle: handle})
  const named = {
    attachmentID: attachmentId(driver, handle, node),
    driverName: driver,
    nodeName: node,
    specVolID: specName,
    volumeHandle: handle,
  }
  return JSON.stringify(kind === 'block' ? named : {...named, volumeLifecycleMode: isInlineHandle(handle) ? 'Ephemeral' : 'Persistent'})
}

/** The kubelet makes the handles of inline volumes itself (csi_mounter.go, makeVolumeHandle). */
export function isInlineHandle(handle: string): boolean {
  return /^csi-[0-9a-f]{64}$/.test(handle)
}

/** csi_attacher.go, getAttachmentName. */
function attachmentId(driver: string, handle: string, node: string): string {
  return `csi-${createHash('sha256').update(`${handle}${driver}${node}`).digest('hex')}`
}
