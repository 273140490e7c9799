// The CSI node calls that the kubelet's log tells of, and how each ended.
import {oncePer} from '../../base/once-per.ts'
import type {KubeletLogLine} from '../../node/kubelet-log.ts'
import {agree, CallList} from './call-list.ts'
import type {CsiCall} from './csi-call.ts'
import {stepsOf} from './log-steps.ts'

/**
 * The calls in the order in which they began. A call whose end the log does not show is open.
 * At the log's usual level the calls themselves are not logged: the end of an operation then stands for its call.
 */
export function csiCalls(log: readonly KubeletLogLine[]): CsiCall[] {
  const list = new CallList()
  for (const line of log) {
    if (line.at === undefined) continue
    for (const step of stepsOf(line, line.at)) list.add(step, line.at)
  }
  return list.calls
}

export interface VolumeOfCalls {
  readonly driver: string | undefined
  readonly handle: string | undefined
  readonly path: string | undefined
  readonly podUid: string | undefined
}

/** The calls about one volume and, for a publish, one pod. */
export function callsAbout(calls: readonly CsiCall[], {driver, handle, path, podUid}: VolumeOfCalls): CsiCall[] {
  const {byHandle, byPath} = indexed(calls)
  const near = new Set([...(byHandle.get(handle ?? '') ?? []), ...(byPath.get(path ?? '') ?? [])])
  const about = [...near].filter((call) => {
    if (call.path !== undefined && call.path === path) return true
    return call.handle === handle && agree(call.driver, driver) && agree(call.podUid, podUid)
  })
  return about.toSorted((a, b) => a.startedAt - b.startedAt)
}

const indexed: (calls: readonly CsiCall[]) => {
  readonly byHandle: ReadonlyMap<string, readonly CsiCall[]>
  readonly byPath: ReadonlyMap<string, readonly CsiCall[]>
} = oncePer((calls) => ({byHandle: Map.groupBy(calls, ({handle}) => handle), byPath: Map.groupBy(calls, ({path}) => path ?? '')}))

/** When the kubelet's volume manager started, as far as the log shows: what it knew before is gone (kubelet-wide restart). */
export function kubeletStarts(log: readonly KubeletLogLine[]): number[] {
  return log.flatMap((line) => (line.at !== undefined && line.message.startsWith('Starting Kubelet Volume Manager') ? [line.at] : []))
}
