// A call with its messages as a line of a recording. Nothing that is secret leaves this place.
import type {DescMessage, JsonValue, Message} from '@bufbuild/protobuf'
import {recordingLimits} from '../../node/recorded/limits.ts'
import type {RecordedCall} from '../../node/recorded/recorded-call.ts'
import {recordingLine} from '../../node/recorded/recording.ts'
import {redactedMessage} from '../../node/recorded/redacted-message.ts'
import {type Hit, mark} from '../../node/redaction/mark.ts'
import {redactString} from '../../node/redaction.ts'
import type {CalledMessages} from '../call/called-messages.ts'

export interface RecordedLine {
  readonly call: RecordedCall
  readonly line: string
}

/** @param socket where clients find the server */
export function recordedLine(socket: string, messages: CalledMessages, hit: Hit): RecordedLine {
  const bare = bareCall(socket, messages, hit)
  if (messages.known === undefined) return lineOf(bare)
  try {
    const whole = lineOf(withMessages(bare, messages, hit))
    if (Buffer.byteLength(whole.line) <= recordingLimits.line) return whole
    return withoutMessages(bare, `its line has more than ${recordingLimits.line / 1024 / 1024} MiB`)
  } catch {
    // What was wrong with it may have a secret in it.
    return withoutMessages(bare, 'a message cannot be written as JSON')
  }
}

/** The same call when there is no room for what it said. */
export function withoutMessages({request: _request, responses: _responses, ...bare}: RecordedCall, why: string): RecordedLine {
  return lineOf({...bare, unkept: why})
}

const lineOf = (call: RecordedCall): RecordedLine => ({call, line: recordingLine(call)})

function bareCall(socket: string, {call, unkept}: CalledMessages, hit: Hit): RecordedCall {
  const {at, service, method, timeoutMs, durationMs, code, message, rule, fault} = call
  // It was redacted when the call was traced.
  for (let hits = (message?.split(mark).length ?? 1) - 1; hits > 0; hits--) hit('error message')
  return {
    socket,
    at,
    service: redactString(service, hit),
    method: redactString(method, hit),
    ...(timeoutMs === undefined ? {} : {timeoutMs}),
    durationMs,
    code,
    ...(message === undefined ? {} : {message}),
    ...(unkept === undefined ? {} : {unkept: redactString(unkept, hit)}),
    ...(rule === undefined ? {} : {rule}),
    ...(fault === undefined ? {} : {fault}),
  }
}

function withMessages(bare: RecordedCall, {known, request, responses}: CalledMessages, hit: Hit): RecordedCall {
  if (known === undefined) return bare
  const json =
    (desc: DescMessage) =>
    (message: Message): JsonValue =>
      redactedMessage(desc, message, hit)
  return {
    ...bare,
    ...(request === undefined ? {} : {request: json(known.input)(request)}),
    responses: responses.map(json(known.output)),
  }
}
