// GOAWAY under the client's numbers. The server's last stream says which of ours it has begun with; the client's numbers may be in another order.
import type {Frame} from '../../http2/frame.ts'
import {Stream} from '../../http2/stream.ts'
import {StreamFailure} from '../../http2/stream-failure.ts'
import type {Pair} from './pair.ts'
import type {PassingStream} from './passing-stream.ts'

/** A server that says this will say again which was the last. */
export const notYet = 2 ** 31 - 1

export function goawayFromServer(pair: Pair, frame: Extract<Frame, {type: 'GOAWAY'}>): void {
  const {code, lastStreamId} = frame
  const unprocessed = new Map<number, PassingStream>()
  for (const stream of pair.passing())
    if (stream.upstreamId % 2 === 1 && stream.upstreamId > lastStreamId) unprocessed.set(stream.clientId, stream)
  const last = lastStreamId === notYet ? Math.min(notYet, pair.refusedAbove) : lastProcessed(pair, unprocessed)
  if (last !== notYet) pair.refusedAbove = last
  pair.goingAway = true
  pair.client.frame({...frame, lastStreamId: last})
  // The client would wait for ever for those that are below.
  for (const stream of unprocessed.values()) stream.refuse(stream.clientId <= last)
  const refusal = pair.refusal()
  if (refusal) pair.openings.fail(refusal)
  for (const stream of pair.upstream.streams.values())
    if (stream instanceof Stream && stream.id > lastStreamId)
      stream.fail(new StreamFailure({code, by: 'connection', unprocessed: true, reason: 'GOAWAY'}))
}

/** Never above what an earlier GOAWAY said. What somebody took counts as begun: his answer may be under way. */
function lastProcessed({lastClientId, refusedAbove}: Pair, unprocessed: ReadonlyMap<number, unknown>): number {
  let last = Math.min(lastClientId, refusedAbove)
  while (unprocessed.has(last)) last -= 2
  return Math.max(0, last)
}
