// Keeps every call by a proxy with its messages in a file, without their secrets, for `replay` and `diff`.
import type {Clock} from './base/clock.ts'
import {formatInstant} from './base/instant.ts'
import type {UnderWay} from './proxy/call/under-way.ts'
import type {TakenSocket} from './proxy/control/inject-hears.ts'
import {addressText, parseProxyAddress} from './proxy/listen/proxy-address.ts'
import {openLineFile} from './proxy/recording/line-file.ts'
import {type Recorder, startRecorder} from './proxy/recording/recorder.ts'
import {ownStand} from './proxy/stand/own-stand.ts'
import type {Stand} from './proxy/stand/stand.ts'
import {type TakeRequest, takenStand} from './proxy/stand/taken-stand.ts'
import type {TakeoverEnd} from './proxy/takeover/take-over.ts'
import type {RecordView} from './render/record.ts'

/** A place of its own, or a server's. */
export type RecordPlace = {readonly listen: string; readonly upstream: string} | {readonly take: TakeRequest}

export interface RecordRequest {
  /** A new file. */
  readonly file: string
  readonly places: readonly RecordPlace[]
  /** Then it ends by itself. */
  readonly forMs: number
  readonly node: string
  readonly tool: string
  readonly uid: number
  readonly pid: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

export interface RecordStarted {
  readonly file: string
  readonly stands: readonly {readonly listen: string; readonly upstream: string; readonly taken?: TakenSocket}[]
}

export interface RecordHears {
  started(started: RecordStarted): void
  trouble(text: string): void
  /** Of a container runtime's socket: what asks there now has the habits of a kubelet. */
  kubelet(at: number): void
  /** A socket is given back, and calls under way have so long. */
  leaving(listen: string, calls: Readonly<UnderWay>, forMs: number): void
  /** A server's socket is no longer ours before the time is over. */
  lost(listen: string, why: TakeoverEnd): void
}

export interface Recorded {
  readonly report: RecordView
  /** What went wrong after it had begun: a socket that could not be given back. */
  readonly errors: readonly unknown[]
}

/** Ends when the time is over, the signal comes, or all sockets are lost: all is in the file then. @throws UserError when it cannot begin, and no file is left */
export async function record(request: RecordRequest, hears: RecordHears): Promise<Recorded> {
  const {file, places, clock, node, tool} = request
  const lines = await openLineFile(file)
  const metadata = {node, when: formatInstant(clock.now()), tool}
  await using stack = new AsyncDisposableStack()
  let recorder: Recorder
  const stands: Stand[] = []
  try {
    recorder = await startRecorder(lines, {apiVersion: 'kubelimbo/v1', kind: 'Recording', metadata})
    for (const place of places) stands.push(stack.use(await stand(place, request, recorder, hears)))
  } catch (error) {
    // The file goes whatever becomes of the places that were taken.
    await lines.discard().catch(() => undefined)
    throw error
  }
  hears.started({file, stands: stands.map(({proxy, upstream, taken}) => ({listen: proxy.address, upstream, ...(taken && {taken})}))})
  const errors = [...(await untilOver(request, stands, recorder, hears)), ...(await errorsOf(() => stack.disposeAsync()))]
  return {report: {file, sockets: places.map(socketOf), ...(await recorder.finish())}, errors}
}

/** @returns what went wrong */
async function untilOver(
  {file, forMs, clock, signal}: RecordRequest,
  stands: readonly Stand[],
  {broken}: Recorder,
  {trouble, lost}: RecordHears,
): Promise<readonly unknown[]> {
  const over = new AbortController()
  const allTaken = stands.every(({taken}) => taken !== undefined)
  void broken.then((why) => {
    trouble(`No more calls are recorded as ${file} must take them: ${why}${allTaken ? '' : '; they pass as before'}`)
    // Whoever was pointed at a place of ours still needs it.
    if (allTaken) over.abort()
  })
  const errors: unknown[] = []
  const losses = stands.map((each) =>
    each.over.then(
      (why) => lost(each.proxy.address, why),
      (error: unknown) => void errors.push(error),
    ),
  )
  void Promise.all(losses).then(() => over.abort())
  await clock.sleep(forMs, AbortSignal.any([signal, over.signal])).catch(() => undefined)
  const left = await Promise.allSettled(stands.map((each) => each.leave()))
  return [...errors, ...left.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))]
}

async function errorsOf(work: () => Promise<void>): Promise<readonly unknown[]> {
  try {
    await work()
    return []
  } catch (error) {
    return [error]
  }
}

function stand(place: RecordPlace, request: RecordRequest, recorder: Recorder, hears: RecordHears): Promise<Stand> {
  const {clock, forMs, tool, uid, pid, signal} = request
  const socket = socketOf(place)
  const onMessages: Parameters<typeof ownStand>[0]['onMessages'] = (messages) => recorder.add(socket, messages)
  const proxy = {rules: [], seed: 1, clock, onMessages, onTrouble: hears.trouble}
  if (!('take' in place)) return ownStand({...place, ...proxy})
  const {trouble, kubelet} = hears
  const heard = {trouble, kubelet, leaving: (calls: Readonly<UnderWay>, ms: number) => hears.leaving(socket, calls, ms)}
  return takenStand({...place.take, proxy, forMs, tool, command: 'record', uid, pid, signal, hears: heard})
}

/** Where clients find the server when no proxy stands before it. */
function socketOf(place: RecordPlace): string {
  if ('take' in place) return place.take.socket
  const address = parseProxyAddress(place.upstream, '--upstream')
  return address.kind === 'unix' ? address.path : addressText(address)
}
