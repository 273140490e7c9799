// The CSI node calls that the kubelet's log tells of, and how each ended.
import {oncePer} from '../../base/once-per.ts'
import type {KubeletLogLine} from '../../node/kubelet-log.ts'
import {type CallEnd, type LogStep, stepsOf} from './log-steps.ts'

export type {CallEnd} from './log-steps.ts'

export type CsiMethod = LogStep['method']

export interface CsiCall {
  readonly method: CsiMethod
  /** Absent where only the path of a block volume or a pod says which volume it is, and no line names its driver. */
  readonly driver?: string
  readonly handle: string
  /** The staging or target path, absolute; absent when the log shows the operation and not the call. */
  readonly path?: string
  /** Of a publish or its undoing. */
  readonly podUid?: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly end: CallEnd
}

/**
 * The calls in the order in which they began. A call whose end the log does not show is open.
 * At the log's usual level the calls themselves are not logged: the end of an operation then stands for its call.
 */
export function csiCalls(log: readonly KubeletLogLine[]): CsiCall[] {
  const calls: CsiCall[] = []
  const open = new Map<string, number[]>()
  const keys = ({method, path, handle}: {readonly method: CsiMethod; readonly path?: string; readonly handle?: string}) => [
    ...(path === undefined ? [] : [`${method} path ${path}`]),
    ...(handle === undefined ? [] : [`${method} handle ${handle}`]),
  ]
  const begin = (call: CsiCall) => {
    for (const key of keys(call)) {
      const indexes = open.get(key)
      if (indexes === undefined) open.set(key, [calls.length])
      else indexes.push(calls.length)
    }
    calls.push(call)
  }
  /** The latest open call that the line can mean. */
  const pending = (step: LogStep): number | undefined => {
    for (const key of keys(step)) {
      const still = (open.get(key) ?? []).filter((index) => calls[index]?.end.state === 'open')
      open.set(key, still)
      const found = still.findLast((index) => agree(calls[index]?.driver, step.driver) && agree(calls[index]?.podUid, step.podUid))
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const line of log) {
    if (line.at === undefined) continue
    for (const step of stepsOf(line, line.at)) {
      const {method, handle, driver, path, podUid, end} = step
      const known = {...(driver !== undefined && {driver}), ...(path !== undefined && {path}), ...(podUid !== undefined && {podUid})}
      const index = end.state === 'open' && path !== undefined ? undefined : pending(step)
      const call = index === undefined ? undefined : calls[index]
      if (call !== undefined && index !== undefined) calls[index] = {...known, ...call, end}
      // A failure without a gRPC code and without a call is one of the kubelet's own, before any call.
      else if (handle !== undefined && !(end.state === 'failed' && end.code === undefined))
        begin({method, handle, ...known, startedAt: line.at, end})
    }
  }
  return calls
}

function agree(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b
}

export interface VolumeOfCalls {
  readonly driver: string | undefined
  readonly handle: string | undefined
  readonly path: string | undefined
  readonly podUid: string | undefined
}

/** The calls about one volume and, for a publish, one pod, in their order. */
export function callsAbout(calls: readonly CsiCall[], {driver, handle, path, podUid}: VolumeOfCalls): CsiCall[] {
  const {byPath, byHandle} = indexOf(calls)
  const ofHandle = (handle === undefined ? undefined : byHandle.get(handle)) ?? []
  const about = ofHandle.filter(({call}) => agree(call.driver, driver) && agree(call.podUid, podUid))
  const at = (path === undefined ? undefined : byPath.get(path)) ?? []
  return [...new Set([...about, ...at])].sort((a, b) => a.index - b.index).map(({call}) => call)
}

/** All calls with a volume handle, of whichever driver. */
export function callsOfHandle(calls: readonly CsiCall[], handle: string): readonly CsiCall[] {
  return (
    indexOf(calls)
      .byHandle.get(handle)
      ?.map(({call}) => call) ?? []
  )
}

const indexOf = oncePer((calls: readonly CsiCall[]) => {
  const numbered = calls.map((call, index) => ({call, index}))
  return {byPath: Map.groupBy(numbered, ({call}) => call.path), byHandle: Map.groupBy(numbered, ({call}) => call.handle)}
})

/** When the kubelet's volume manager started, as far as the log shows: what it knew before is gone (kubelet-wide restart). */
export function kubeletStarts(log: readonly KubeletLogLine[]): number[] {
  return log.flatMap((line) => (line.at !== undefined && line.message.startsWith('Starting Kubelet Volume Manager') ? [line.at] : []))
}
