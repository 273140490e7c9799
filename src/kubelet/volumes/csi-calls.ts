// The CSI node calls that the kubelet's log tells of, and how each ended.
import type {KubeletLogLine} from '../../node/kubelet-log.ts'

export const csiMethods = ['NodeStageVolume', 'NodePublishVolume', 'NodeUnpublishVolume', 'NodeUnstageVolume'] as const
export type CsiMethod = (typeof csiMethods)[number]

export interface CsiCall {
  readonly method: CsiMethod
  readonly handle: string
  /** The staging or target path, absolute. */
  readonly path: string
  /** Milliseconds since 1970. */
  readonly startedAt: number
  readonly end: CallEnd
}

export type CallEnd =
  | {readonly state: 'open'}
  | {readonly state: 'ok'; readonly at: number}
  /** `code` is the gRPC code's name, undefined when the error has none. */
  | {readonly state: 'failed'; readonly at: number; readonly code: string | undefined; readonly retryAt: number | undefined}

// csi_client.go logs before each call: 'calling NodeStageVolume rpc' volID=… stagingTargetPath=…, up to 1.19 with [volid=…,staging_target_path=…] in the text.
const calling = /calling (Node(?:Stage|Unstage|Publish|Unpublish)Volume) rpc(?: \[volid=(.*?),(?:staging_)?target_path=(.*?)(?:,.*)?\])?/
// csi_attacher.go, csi_mounter.go and csi_block.go log after a call that went well; the path stands in brackets.
const answers: readonly (readonly [RegExp, CsiMethod])[] = [
  [/successfully requested NodeStageVolume \[(.*)\]/, 'NodeStageVolume'],
  [/successfully requested NodePublish(?:Volume)? \[(.*)\]/, 'NodePublishVolume'],
  [/NodeUnpublished successfully \[(.*)\]/, 'NodeUnpublishVolume'],
  [/TearDownAt successfully unmounted dir \[(.*)\]/, 'NodeUnpublishVolume'],
  [/NodeUnstageVolume successfully \[(.*)\]/, 'NodeUnstageVolume'],
  [/UnmountDevice successfully requested NodeUn[sS]tageVolume \[(.*)\]/, 'NodeUnstageVolume'],
]
// operation_generator.go logs the end of each operation, too, at a level that is always on.
const succeededSteps: readonly (readonly [RegExp, CsiMethod])[] = [
  [/(MountVolume\.MountDevice|MapVolume\.SetUpDevice) succeeded/, 'NodeStageVolume'],
  [/(MountVolume\.SetUp|MapVolume\.MapPodDevice) succeeded/, 'NodePublishVolume'],
  [/(UnmountVolume\.TearDown|UnmapVolume) succeeded/, 'NodeUnpublishVolume'],
  [/(UnmountDevice|UnmapDevice) succeeded/, 'NodeUnstageVolume'],
]
const uniqueName = /kubernetes\.io\/csi\/[^^"]+\^(.*?)"/
// nestedpendingoperations.go; up to 1.17 the key is a bare quoted name.
const failure = /Operation for "(?:\{volumeName:|\\?")?kubernetes\.io\/csi\/[^^]*\^(.*?)(?: podName:|\\?"").* failed\./
const failedSteps: readonly (readonly [RegExp, CsiMethod])[] = [
  [/MountVolume\.MountDevice failed|MapVolume\.SetUpDevice failed/, 'NodeStageVolume'],
  [/MountVolume\.SetUp failed|MapVolume\.MapPodDevice failed/, 'NodePublishVolume'],
  [/UnmountVolume\.TearDown failed|UnmapVolume\.UnmapPodDevice failed/, 'NodeUnpublishVolume'],
  [/UnmountDevice failed|UnmapDevice\.TearDownDevice failed/, 'NodeUnstageVolume'],
]

/** The calls in the order in which they began. A call whose end the log does not show is open. */
export function csiCalls(log: readonly KubeletLogLine[]): CsiCall[] {
  const calls: CsiCall[] = []
  const close = (end: CallEnd, method: CsiMethod, matches: (call: CsiCall) => boolean) => {
    const index = calls.findLastIndex((call) => call.end.state === 'open' && call.method === method && matches(call))
    const call = calls[index]
    if (call !== undefined) calls[index] = {...call, end}
  }
  for (const line of log) {
    if (line.at === undefined) continue
    const call = startOf(line, line.at)
    if (call !== undefined) {
      calls.push(call)
      continue
    }
    for (const [pattern, method] of answers) {
      const path = pattern.exec(line.message)?.[1]
      if (path !== undefined) close({state: 'ok', at: line.at}, method, (open) => open.path === path)
    }
    const handle = uniqueName.exec(line.message)?.[1]
    const succeeded = succeededSteps.find(([pattern]) => pattern.test(line.message))?.[1]
    if (handle !== undefined && succeeded !== undefined) close({state: 'ok', at: line.at}, succeeded, (open) => open.handle === handle)
    const failed = failureOf(line, line.at)
    if (failed !== undefined) close(failed.end, failed.method, (open) => open.handle === failed.handle)
  }
  return calls
}

function startOf(line: KubeletLogLine, at: number): CsiCall | undefined {
  const match = calling.exec(line.message)
  const method = csiMethods.find((each) => each === match?.[1])
  const handle = line.fields.volID ?? match?.[2]
  const path = line.fields.stagingTargetPath ?? line.fields.targetPath ?? match?.[3]
  if (method === undefined || handle === undefined || path === undefined) return undefined
  return {method, handle, path, startedAt: at, end: {state: 'open'}}
}

function failureOf(line: KubeletLogLine, at: number): {method: CsiMethod; handle: string; end: CallEnd} | undefined {
  const handle = failure.exec(line.message)?.[1]
  const method = failedSteps.find(([pattern]) => pattern.test(line.message))?.[1]
  if (handle === undefined || method === undefined) return undefined
  const code = /rpc error: code = (\w+)/.exec(line.message)?.[1]
  return {method, handle, end: {state: 'failed', at, code, retryAt: retryOf(line.message)}}
}

/** Go prints the moment as '2026-11-30 03:12:45.06 +0000 UTC m=+1.2'. */
function retryOf(message: string): number | undefined {
  const match = /No retries permitted until (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?) ([+-]\d\d)(\d\d)/.exec(message)
  if (match === null) return undefined
  const [, day, time, hours, minutes] = match
  const ms = Date.parse(`${day}T${time?.slice(0, 12)}${hours}:${minutes}`)
  return Number.isNaN(ms) ? undefined : ms
}

/** When the kubelet's volume manager started, as far as the log shows: what it knew before is gone (kubelet-wide restart). */
export function kubeletStarts(log: readonly KubeletLogLine[]): number[] {
  return log.flatMap((line) => (line.at !== undefined && line.message.startsWith('Starting Kubelet Volume Manager') ? [line.at] : []))
}
