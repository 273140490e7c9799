// A call that somebody took, as the taker sees it: the client's end, and ends upstream as he opens them.
import {errorCodes} from '../../http2/fault.ts'
import {fieldValue, type HeaderField} from '../../http2/header-field.ts'
import type {Stream} from '../../http2/stream.ts'
import {withLocalAuthority} from './authority.ts'
import type {CallHead, Handling, OpenOptions, TakenCall} from './handling.ts'
import type {Opening} from './openings.ts'
import type {Pair} from './pair.ts'

export function callHead(streamId: number, fields: readonly HeaderField[]): CallHead {
  return {path: fieldValue(fields, ':path') ?? '', fields, streamId}
}

type Take = Extract<Handling, {kind: 'take'}>['take']

/** The taker is told at once, or when the client would hear an answer, or when it has left before that. */
export function takeCall(pair: Pair, head: CallHead, take: Take, endStream: boolean): void {
  const client = pair.clientEnds.open(head.streamId, head.fields)
  if (endStream) client.receivedEnd()
  else pair.clientEnds.widen(client)
  let told = false
  const work = async () => {
    if (told) return
    told = true
    try {
      await take(call)
    } catch {
      client.reset(errorCodes.INTERNAL_ERROR)
    }
  }
  const call = takenCall(pair, client, head, () => void work())
  if (pair.upstream.said.came) void work()
  else pair.onGreeted.push(() => void work())
}

/** @param left the client's stream has failed */
function takenCall(pair: Pair, client: Stream, head: CallHead, left: () => void): TakenCall {
  const dependents = new Set<Stream>()
  const waiting = new Set<Opening>()
  pair.onClientClosed.set(client, () => {
    const {failure} = client
    // That we want no more of the request is no end of the call.
    if (!failure || (failure.by === 'us' && failure.code === errorCodes.NO_ERROR)) return
    for (const opening of waiting) pair.openings.giveUp(opening, failure)
    for (const stream of dependents) stream.reset(failure.by === 'peer' ? failure.code : errorCodes.CANCEL)
    left()
  })
  const open = (fields: readonly HeaderField[], {endStream = false, outlives = false}: OpenOptions = {}) =>
    new Promise<Stream>((resolve, reject) => {
      // Who has left before the server hears of the call has taken it back.
      const refused = pair.refusal() ?? client.failure
      if (refused) return reject(refused)
      const opening: Opening = {
        start: () => pair.openUpstream(withLocalAuthority(fields), endStream, outlives),
        resolve: (stream) => {
          waiting.delete(opening)
          if (!outlives) dependents.add(stream)
          resolve(stream)
        },
        reject: (reason) => {
          waiting.delete(opening)
          reject(reason)
        },
      }
      waiting.add(opening)
      pair.openings.add(opening)
    })
  return {head, client, open, breakConnection: () => void pair.client.socket.destroy()}
}
