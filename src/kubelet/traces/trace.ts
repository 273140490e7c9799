// What the kubelet's log tells of its work on volumes, read once.
import type {KubeletLogLine} from '../../node/kubelet-log.ts'
import {type VolumeName, volumeNames} from '../volumes/volume-names.ts'
import type {CsiCall} from './csi-call.ts'
import {csiCalls, kubeletStarts} from './csi-calls.ts'
import {type DetachedVolume, detachedVolumes} from './detached-volumes.ts'

export interface Trace {
  readonly calls: readonly CsiCall[]
  /** Milliseconds since 1970 of each start of the volume manager: what it knew before is gone. */
  readonly starts: readonly number[]
  readonly names: readonly VolumeName[]
  /** In the order in which the kubelet let go of them. */
  readonly detached: readonly DetachedVolume[]
  /** Milliseconds since 1970 of the newest line; undefined when there is none. */
  readonly until: number | undefined
}

/** @param since lines from before are of another life of the node. */
export function traceOf(log: readonly KubeletLogLine[], since = 0): Trace {
  const lines = log.filter(({at}) => at !== undefined && at >= since)
  const until = lines.reduce<number | undefined>(
    (latest, {at}) => (at !== undefined && (latest === undefined || at > latest) ? at : latest),
    undefined,
  )
  return {calls: csiCalls(lines), starts: kubeletStarts(lines), names: volumeNames(lines), detached: detachedVolumes(lines), until}
}
