// Recorded calls as messages and refusals.
import {create, type DescMessage, fromJson, type MessageShape} from '@bufbuild/protobuf'
import {Code, ConnectError} from '@connectrpc/connect'
import type {RecordedCall} from '../../node/recorded/recorded-call.ts'
import {notRecordedWords} from '../../node/replayed/replay-note.ts'
import {rpcCodes} from '../../wire/rpc-failure.ts'

/** As many are asked again and again. */
const decoded = new WeakMap<RecordedCall, readonly unknown[]>()

export const notRecorded = (why?: string): ConnectError =>
  new ConnectError(why === undefined ? notRecordedWords : `${notRecordedWords}: ${why}`, Code.Unavailable)

/** In their order. @throws ConnectError what the client got instead */
export function messagesOf<Desc extends DescMessage>(desc: Desc, call: RecordedCall): readonly MessageShape<Desc>[] {
  const {code, message = '', responses, unkept} = call
  if (code !== 'OK') throw new ConnectError(message, codeOf(code))
  if (responses === undefined) throw notRecorded(unkept)
  const known = decoded.get(call) as readonly MessageShape<Desc>[] | undefined
  if (known !== undefined) return known
  try {
    const messages = responses.map((response) => fromJson(desc, response, {ignoreUnknownFields: true}))
    decoded.set(call, messages)
    return messages
  } catch {
    throw notRecorded('its answer cannot be read')
  }
}

/** Of a unary call. @throws ConnectError */
export function messageOf<Desc extends DescMessage>(desc: Desc, call: RecordedCall): MessageShape<Desc> {
  return messagesOf(desc, call)[0] ?? create(desc)
}

function codeOf(name: string): Code {
  // gRPC's numbers are in the order of the names, after OK.
  const at = (rpcCodes as readonly string[]).indexOf(name)
  return at === -1 ? Code.Unknown : at + 1
}
