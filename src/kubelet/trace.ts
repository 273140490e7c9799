// What the kubelet's log tells of its work on volumes, read once.
import type {KubeletLogLine} from '../node/kubelet-log.ts'
import {type CsiCall, csiCalls, kubeletStarts} from './volumes/csi-calls.ts'
import {type VolumeName, volumeNames} from './volumes/volume-names.ts'

export interface Trace {
  readonly calls: readonly CsiCall[]
  /** Milliseconds since 1970 of each start of the volume manager: what it knew before is gone. */
  readonly starts: readonly number[]
  readonly names: readonly VolumeName[]
}

export function traceOf(log: readonly KubeletLogLine[]): Trace {
  return {calls: csiCalls(log), starts: kubeletStarts(log), names: volumeNames(log)}
}
