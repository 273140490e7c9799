// Keeps every call by a proxy with its messages in a file, without their secrets, for `replay` and `diff`.
import type {Clock} from './base/clock.ts'
import {formatInstant} from './base/instant.ts'
import {mustListen} from './inject.ts'
import {addressText, parseProxyAddress} from './proxy/listen/proxy-address.ts'
import {openLineFile} from './proxy/recording/line-file.ts'
import {type Recorder, startRecorder} from './proxy/recording/recorder.ts'
import {serveProxy} from './proxy/serve-proxy.ts'
import type {RecordView} from './render/record.ts'

/** Where a proxy stands. */
export interface RecordPlace {
  readonly listen: string
  readonly upstream: string
}

export interface RecordRequest {
  /** A new file. */
  readonly file: string
  readonly places: readonly RecordPlace[]
  /** Then it ends by itself. */
  readonly forMs: number
  readonly node: string
  readonly tool: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

export interface RecordHears {
  /** @param places 'unix:///tmp/csi.sock before unix:///csi/csi.sock' */
  started(places: readonly string[], file: string): void
  trouble(text: string): void
}

/** Ends when the time is over or the signal comes: all is in the file then. @throws UserError when it cannot begin, and no file is left */
export async function record(request: RecordRequest, hears: RecordHears): Promise<RecordView> {
  const {file, places, clock, node, tool} = request
  for (const {upstream} of places) await mustListen(upstream, '--upstream')
  const lines = await openLineFile(file)
  let recorder: Recorder | undefined
  try {
    const metadata = {node, when: formatInstant(clock.now()), tool}
    recorder = await startRecorder(lines, {apiVersion: 'kubelimbo/v1', kind: 'Recording', metadata})
    await standAndRecord(request, recorder, hears)
  } catch (error) {
    await lines.discard().catch(() => undefined)
    throw error
  }
  return {file, sockets: places.map(socketOf), ...(await recorder.finish())}
}

async function standAndRecord(request: RecordRequest, recorder: Recorder, hears: RecordHears): Promise<void> {
  const {file, places, forMs, clock, signal} = request
  await using stack = new AsyncDisposableStack()
  const stands: string[] = []
  for (const place of places) {
    const {address} = stack.use(await stand(place, request, recorder, hears))
    stands.push(`${address} before ${addressText(parseProxyAddress(place.upstream, '--upstream'))}`)
  }
  void recorder.broken.then((why) => hears.trouble(`no more calls are recorded as ${file} must take them: ${why}; calls pass as before`))
  hears.started(stands, file)
  await clock.sleep(forMs, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

function stand(place: RecordPlace, {clock}: RecordRequest, recorder: Recorder, {trouble}: RecordHears) {
  const socket = socketOf(place)
  return serveProxy({...place, rules: [], seed: 1, clock, onMessages: (messages) => recorder.add(socket, messages), onTrouble: trouble})
}

/** Where clients find the server when no proxy stands before it. */
function socketOf({upstream}: RecordPlace): string {
  const address = parseProxyAddress(upstream, '--upstream')
  return address.kind === 'unix' ? address.path : addressText(address)
}
