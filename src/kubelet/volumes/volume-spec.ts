// A volume as the volume manager knows it: from a claim, from a pod, or from what was left on the disk. Upstream: volume/plugins.go, Spec
import {createHash} from 'node:crypto'
import {uniqueVolumeName} from '../../node/layout.ts'
import type {VolumeMode, VolumeUse} from '../csi.ts'
import type {BoundClaim, Volume} from '../pod.ts'

export interface VolumeSpec {
  /** The persistent volume's name or, of an inline volume, its name in the pod. */
  readonly name: string
  readonly driver: string
  readonly handle: string
  readonly mode: VolumeMode
  /** Inline in its pod: never staged. */
  readonly ephemeral: boolean
  /** Absent of what was found on the disk, which is only undone. */
  readonly use?: VolumeUse
}

export const claimedSpec = ({volumeName, driver, volumeHandle, volumeMode, accessModes, ...source}: BoundClaim): VolumeSpec => ({
  name: volumeName,
  driver,
  handle: volumeHandle,
  mode: volumeMode,
  ephemeral: false,
  use: {...(accessModes?.[0] && {accessMode: accessModes[0]}), ...sourceOf(source)},
})

/** A volume that a pod has for itself. */
export const podsOwnSpec = (podUid: string, name: string, {driver, ...source}: InlineSource): VolumeSpec => ({
  ...inlineSpec(podUid, name, driver),
  use: sourceOf(source),
})

type InlineSource = Extract<Volume, {readonly csi: object}>['csi']

const sourceOf = ({fsType, volumeAttributes}: Omit<InlineSource, 'driver'>): VolumeUse => ({
  ...(fsType !== undefined && {fsType}),
  ...(volumeAttributes !== undefined && {volumeContext: volumeAttributes}),
})

export const inlineSpec = (podUid: string, name: string, driver: string): VolumeSpec => ({
  name,
  driver,
  handle: inlineHandle(podUid, name),
  mode: 'Filesystem',
  ephemeral: true,
})

/** An inline volume is its pod's alone. Upstream: GetUniqueVolumeNameFromSpecWithPod */
export function uniqueNameOf({name, driver, handle, ephemeral}: VolumeSpec, podUid: string): string {
  return ephemeral ? `kubernetes.io/csi/${podUid}-${name}` : uniqueVolumeName(driver, handle)
}

/** Upstream: csi_mounter.go, makeVolumeHandle */
function inlineHandle(podUid: string, name: string): string {
  return `csi-${createHash('sha256').update(`${podUid}${name}`).digest('hex')}`
}
