// What one line of the kubelet's log says of a CSI node call: that it begins, or how it or its operation ended.
// Plain searches only: a line is whatever somebody got the kubelet to log, and a pattern that backtracks would let it stop us.
import type {KubeletLogLine} from '../../node/kubelet-log.ts'

export type CallEnd =
  | {readonly state: 'open'}
  | {readonly state: 'ok'; readonly at: number}
  /** `code` is the gRPC code's name, undefined when the error has none. */
  | {readonly state: 'failed'; readonly at: number; readonly code: string | undefined; readonly retryAt: number | undefined}

export interface LogStep {
  readonly method: 'NodeStageVolume' | 'NodePublishVolume' | 'NodeUnpublishVolume' | 'NodeUnstageVolume'
  readonly driver?: string
  readonly handle?: string
  /** Absolute. */
  readonly path?: string
  readonly podUid?: string
  readonly end: CallEnd
}

type Method = LogStep['method']

// csi_attacher.go, csi_mounter.go and csi_block.go log after a call that went well; the path stands in brackets.
const answers: readonly (readonly [string, Method])[] = [
  ['successfully requested NodeStageVolume [', 'NodeStageVolume'],
  ['successfully requested NodePublish [', 'NodePublishVolume'],
  ['successfully requested NodePublishVolume [', 'NodePublishVolume'],
  ['NodeUnpublished successfully [', 'NodeUnpublishVolume'],
  ['TearDownAt successfully unmounted dir [', 'NodeUnpublishVolume'],
  ['NodeUnstageVolume successfully [', 'NodeUnstageVolume'],
  ['successfully requested NodeUnStageVolume [', 'NodeUnstageVolume'],
  ['successfully requested NodeUnstageVolume [', 'NodeUnstageVolume'],
]
// operation_generator.go logs the end of each operation at a level that is always on.
const succeeded: readonly (readonly [string, Method])[] = [
  ['MountVolume.MountDevice succeeded', 'NodeStageVolume'],
  ['MapVolume.SetUpDevice succeeded', 'NodeStageVolume'],
  ['MountVolume.SetUp succeeded', 'NodePublishVolume'],
  ['MapVolume.MapPodDevice succeeded', 'NodePublishVolume'],
  ['UnmountVolume.TearDown succeeded', 'NodeUnpublishVolume'],
  ['UnmapVolume succeeded', 'NodeUnpublishVolume'],
  ['UnmountDevice succeeded', 'NodeUnstageVolume'],
  ['UnmapDevice succeeded', 'NodeUnstageVolume'],
]
// reconciler_common.go: the undo is on its way, whatever its calls are logged at. Block volumes have the same words.
const undoing: readonly (readonly [string, Method])[] = [
  ['operationExecutor.UnmountVolume started', 'NodeUnpublishVolume'],
  ['operationExecutor.UnmountDevice started', 'NodeUnstageVolume'],
]
const failed: readonly (readonly [string, Method])[] = [
  ['MountVolume.MountDevice failed', 'NodeStageVolume'],
  ['MapVolume.SetUpDevice failed', 'NodeStageVolume'],
  ['MountVolume.SetUp failed', 'NodePublishVolume'],
  ['MapVolume.MapPodDevice failed', 'NodePublishVolume'],
  ['UnmountVolume.TearDown failed', 'NodeUnpublishVolume'],
  ['UnmapVolume.UnmapPodDevice failed', 'NodeUnpublishVolume'],
  ['UnmountDevice failed', 'NodeUnstageVolume'],
  ['UnmapDevice.TearDownDevice failed', 'NodeUnstageVolume'],
]
const methods: readonly Method[] = ['NodeStageVolume', 'NodePublishVolume', 'NodeUnpublishVolume', 'NodeUnstageVolume']

export function stepsOf(line: KubeletLogLine, at: number): readonly LogStep[] {
  const {message} = line
  const step = callOf(line) ?? answerOf(message, at) ?? failureOf(message, at) ?? operationOf(message, at)
  return step === undefined ? [] : [step]
}

/** csi_client.go: 'calling NodeStageVolume rpc' volID=… stagingTargetPath=…, up to 1.19 with [volid=…,staging_target_path=…] in the text. */
function callOf({message, fields}: KubeletLogLine): LogStep | undefined {
  const method = methods.find((each) => message.includes(`calling ${each} rpc`))
  if (method === undefined) return undefined
  const handle = fields.volID ?? between(message, '[volid=', ',')
  const path = fields.stagingTargetPath ?? fields.targetPath ?? oldPath(message)
  if (handle === undefined || path === undefined) return undefined
  return {method, handle, path, ...partsOfPath(path), end: {state: 'open'}}
}

function oldPath(message: string): string | undefined {
  const text = between(message, 'target_path=', ']')
  return text?.split(',', 1)[0]
}

function answerOf(message: string, at: number): LogStep | undefined {
  for (const [text, method] of answers) {
    const start = message.indexOf(text)
    const stop = message.lastIndexOf(']')
    if (start === -1 || stop < start) continue
    const path = message.slice(start + text.length, stop)
    return {method, path, ...partsOfPath(path), end: {state: 'ok', at}}
  }
  return undefined
}

/** nestedpendingoperations.go: Operation for "{volumeName:NAME podName:… nodeName:…}" failed; up to 1.17 the key is a bare quoted name. */
function failureOf(message: string, at: number): LogStep | undefined {
  if (!message.startsWith('Operation for "')) return undefined
  const method = failed.find(([text]) => message.includes(text))?.[1]
  const name = between(message, 'kubernetes.io/csi/', message.includes('{volumeName:') ? ' podName:' : '"')?.replace(/\\$/, '')
  if (method === undefined || name === undefined) return undefined
  const code = isBeforeCall(message) ? undefined : /^\w+/.exec(between(message, 'rpc error: code = ', ' ') ?? '')?.[0]
  return {method, ...volumeOf(name), ...podOf(message), end: {state: 'failed', at, code, retryAt: retryOf(message)}}
}

/** The driver was asked what it can, and the call itself was never made (csi_mounter.go, csi_block.go, csi_attacher.go). */
function isBeforeCall(message: string): boolean {
  return message.includes(' failed to check ') && message.includes('STAGE_UNSTAGE_VOLUME')
}

/** … for volume "pv1" (UniqueName: "NAME") …, and of an unmount: … for volume "NAME" (OuterVolumeSpecName: …). */
function operationOf(message: string, at: number): LogStep | undefined {
  const name = between(message, '"kubernetes.io/csi/', '"')
  if (name === undefined) return undefined
  const done = succeeded.find(([text]) => message.includes(text))?.[1]
  if (done !== undefined) return {method: done, ...volumeOf(name), ...podOf(message), end: {state: 'ok', at}}
  const begun = undoing.find(([text]) => message.includes(text))?.[1]
  return begun === undefined ? undefined : {method: begun, ...volumeOf(name), ...podOf(message), end: {state: 'open'}}
}

/** DRIVER^HANDLE. An inline volume's unique name has no driver in it: POD UID-VOLUME. */
function volumeOf(name: string): Pick<LogStep, 'driver' | 'handle'> {
  const caret = name.indexOf('^')
  return caret === -1 ? {} : {driver: name.slice(0, caret), handle: name.slice(caret + 1)}
}

/** pod "web-0" (UID: "…"); absent in lines about a device. Up to 1.21 an error is in quotes, and so are those in it. */
function podOf(message: string): Pick<LogStep, 'podUid'> {
  const podUid = between(message, '(UID: "', '"') ?? between(message, '(UID: \\"', '\\"')
  return podUid === undefined || podUid === '' ? {} : {podUid}
}

/**
 * plugins/kubernetes.io/csi/DRIVER/SHA256/globalmount (1.24 and later), pods/UID/volumes/…/mount and, of block volumes,
 * plugins/kubernetes.io/csi/volumeDevices/publish/PV/UID.
 */
function partsOfPath(path: string): Pick<LogStep, 'driver' | 'podUid'> {
  const below = path.slice(path.indexOf('/plugins/kubernetes.io/csi/') + 1).split('/')
  if (below[0] === 'plugins') {
    const [, , , first = '', second, , podUid] = below
    if (first === 'volumeDevices') return second === 'publish' && podUid !== undefined ? {podUid} : {}
    return first === 'pv' ? {} : {driver: first}
  }
  const podUid = between(path, '/pods/', '/')
  return podUid === undefined ? {} : {podUid}
}

/** Go prints the moment as '2026-11-30 03:12:45.06 +0000 UTC m=+1.2'. */
function retryOf(message: string): number | undefined {
  const text = between(message, 'No retries permitted until ', ' UTC') ?? ''
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{1,9})?) ([+-]\d\d)(\d\d)$/.exec(text)
  if (match === null) return undefined
  const [, day, time, hours, minutes] = match
  const ms = Date.parse(`${day}T${time?.slice(0, 12)}${hours}:${minutes}`)
  return Number.isNaN(ms) ? undefined : ms
}

function between(text: string, before: string, after: string): string | undefined {
  const start = text.indexOf(before)
  if (start === -1) return undefined
  const stop = text.indexOf(after, start + before.length)
  return stop === -1 ? undefined : text.slice(start + before.length, stop)
}
