// A real kubelet's log as events of the timeline: what the model would have said is found by the same words.
import {type FileHandle, open} from 'node:fs/promises'
import type {Clock} from '../../base/clock.ts'
import {type KubeletLogLine, parseKubeletLog} from '../../node/kubelet-log.ts'
import type {LogEvent} from '../../timeline/event.ts'

export interface FollowedLogOptions {
  readonly path: string
  readonly clock: Clock
  readonly onEvent: (event: Omit<LogEvent, 'kind' | 'at'>) => void
  /** Looks as long as it is not aborted. */
  readonly signal: AbortSignal
}

const lookEvery = 100
const pieceBytes = 1 << 20

/** Resolves after the last look; rejects when the file cannot be read. */
export async function followLog({path, clock, onEvent, signal}: FollowedLogOptions): Promise<void> {
  await using file = await open(path, 'a+')
  let [at, rest] = [0, '']
  for (;;) {
    const last = signal.aborted
    for (let text = await pieceAt(file, at); text.length > 0; text = await pieceAt(file, at)) {
      at += text.length
      const whole = rest + text.toString('latin1')
      const end = whole.lastIndexOf('\n') + 1
      rest = whole.slice(end)
      const lines = parseKubeletLog(Buffer.from(whole.slice(0, end), 'latin1').toString(), {near: clock.now()})
      for (const line of lines) onEvent(eventOf(line))
    }
    if (last) return
    await clock.sleep(lookEvery, signal).catch(() => undefined)
  }
}

async function pieceAt(file: FileHandle, position: number): Promise<Buffer> {
  const {buffer, bytesRead} = await file.read(Buffer.alloc(pieceBytes), 0, pieceBytes, position)
  return buffer.subarray(0, bytesRead)
}

/** 'Status update on pod default/web-0 aborted: …' of kubelets up to 1.18; the name may be quoted, with the UID after it. */
const ofPod = / "?([a-z0-9][a-z0-9.-]*\/[a-z0-9][a-z0-9.-]*)(?:\([0-9a-f-]+\))?"?(?=[ :,])/
/** 'web-0_default(UID)' */
const formatted = / "?([a-z0-9][a-z0-9.-]*)_([a-z0-9][a-z0-9.-]*)\([0-9a-f-]+\)"?/

function eventOf({message, fields}: KubeletLogLine): Omit<LogEvent, 'kind' | 'at'> {
  const {pod, ...others} = fields
  if (pod !== undefined) return {text: message, pod, fields: others}
  const short = ofPod.exec(message)
  if (short?.[1] !== undefined) return {text: message.replace(short[0], ''), pod: short[1], fields}
  const long = formatted.exec(message)
  if (long !== null) return {text: message.replace(long[0], ''), pod: `${long[2]}/${long[1]}`, fields}
  return {text: message, fields}
}
