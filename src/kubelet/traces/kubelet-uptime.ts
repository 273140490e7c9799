// For how long the kubelet has been up, as far as that is certain: the shortest time that it can be.
import {oncePer} from '../../base/once-per.ts'
import {known, whole} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {kubeletStarts} from './csi-calls.ts'

export interface Uptime {
  readonly ms: number
  /** Absent when the process itself was seen. */
  readonly source?: 'kubelet.metrics' | 'kubelet.log'
}

/** A log whose newest line is older than that may be one that nobody writes any more. */
const freshMs = 60_000

/** To the moment at which the readings were taken, whatever moment ages are counted to. Undefined when nothing tells. */
export const kubeletUptime: (snapshot: Snapshot) => Uptime | undefined = oncePer(({when, takenAt = when, kubeletProcess, readings}) => {
  if (kubeletProcess?.startedAt !== undefined) return {ms: takenAt - kubeletProcess.startedAt}
  const started = known(readings['kubelet.metrics'])?.find(({name}) => name === 'process_start_time_seconds')?.value
  if (started !== undefined && started > 0) return {ms: takenAt - started * 1000, source: 'kubelet.metrics'}
  const boot = known(readings['kernel.boot'])?.at ?? Number.NEGATIVE_INFINITY
  // A line that is missing may be the one of its start.
  const lines = (whole(readings['kubelet.log']) ?? []).filter(({at}) => at !== undefined && at >= boot)
  const moments = lines.flatMap(({at}) => at ?? [])
  const newest = moments.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  if (Math.abs(takenAt - newest) > freshMs) return undefined
  // It always logs its start: what lies between the oldest line and the newest is one life, where there is none.
  const start = kubeletStarts(lines).at(-1) ?? moments.reduce((a, b) => Math.min(a, b), newest)
  return {ms: newest - start, source: 'kubelet.log'}
})
