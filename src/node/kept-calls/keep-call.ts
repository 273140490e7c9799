// One call that changes nothing, with all that came of it. It never fails: what went wrong is what is kept.
import {create, type DescMethodUnary, type JsonValue, type Message} from '@bufbuild/protobuf'
import type {Clock} from '../../base/clock.ts'
import type {Channel} from '../../wire/channel.ts'
import {RpcFailure} from '../../wire/rpc-failure.ts'
import type {RecordedCall} from '../recorded/recorded-call.ts'
import {redactedMessage} from '../recorded/redacted-message.ts'
import {type Hit, mark} from '../redaction/mark.ts'
import {redactString} from '../redaction.ts'

export interface Keeper {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds since 1970: nothing is asked after it. */
  readonly until: number
  /** Takes each call, in the order of their ends. */
  readonly kept: RecordedCall[]
  /** Rule to the number of values it took out. */
  readonly hits: Record<string, number>
  /** Bytes that answers may still have. */
  readonly room: {left: number}
}

/** Of each call, at most. The kubelet's patience is longer, that of who waits for a bundle is not. */
export const callMs = 5000

/** How often a method may keep silent before it is asked no more. */
const patience = 3

export interface Asker {
  /** The message; undefined when there is none, or no time was left to ask. */
  ask(method: DescMethodUnary, request: Readonly<Record<string, unknown>>): Promise<Message | undefined>
  /** Why this one would not be asked any more. */
  tired(method: DescMethodUnary): boolean
}

/** @param socket its path on the node */
export function asker(channel: Channel, socket: string, {clock, signal, until, kept, hits, room}: Keeper): Asker {
  const silences = new Map<DescMethodUnary, number>()
  const hit: Hit = (rule) => {
    hits[rule] = (hits[rule] ?? 0) + 1
    return mark
  }
  const tired = (method: DescMethodUnary) => (silences.get(method) ?? 0) >= patience
  return {
    tired,
    ask: async (method, fields) => {
      const at = clock.now()
      const timeoutMs = Math.min(callMs, until - at)
      if (timeoutMs <= 0 || tired(method)) return undefined
      const input = create(method.input, {...fields})
      const about = (): Omit<RecordedCall, 'code'> => ({
        socket,
        at,
        service: method.parent.typeName,
        method: method.name,
        timeoutMs,
        durationMs: clock.now() - at,
        request: redactedMessage(method.input, input, hit),
      })
      try {
        const message = await channel.call(method.name, {signal, deadlineMs: timeoutMs}, (within) => unary(channel, method, input, within))
        kept.push({...about(), code: 'OK', ...answerOf(method, message, hit, room)})
        return message
      } catch (error) {
        if (!(error instanceof RpcFailure)) throw error
        if (error.kind === 'silent') silences.set(method, (silences.get(method) ?? 0) + 1)
        kept.push({...about(), code: error.code, message: redactString(said(error), () => hit('error message'))})
        return undefined
      }
    },
  }
}

async function unary({transport}: Channel, method: DescMethodUnary, input: Message, signal: AbortSignal): Promise<Message> {
  return (await transport.unary(method, signal, undefined, undefined, input as never)).message
}

function answerOf(method: DescMethodUnary, message: Message, hit: Hit, room: Keeper['room']): Pick<RecordedCall, 'responses' | 'unkept'> {
  try {
    const response: JsonValue = redactedMessage(method.output, message, hit)
    const size = Buffer.byteLength(JSON.stringify(response))
    if (size > room.left) return {unkept: 'there was no room for the answer in the bundle'}
    room.left -= size
    return {responses: [response]}
  } catch {
    return {unkept: 'the answer has no form as JSON'}
  }
}

/** The server's own words: ours have the method's name before them. */
function said({message, cause}: RpcFailure): string {
  const raw = (cause as {readonly rawMessage?: unknown} | undefined)?.rawMessage
  return typeof raw === 'string' ? raw : message
}
