// PRIORITY (RFC 7540, 5.3) under the other side's numbers. It is advice: what it says of streams that do not pass is left out.
import {type Fault, streamFault} from '../../http2/fault.ts'
import type {Priority} from '../../http2/frame.ts'
import type {Pair} from './pair.ts'
import {PassingStream} from './passing-stream.ts'
import type {Side} from './side.ts'

/** @param id the stream's number where the priority goes, `own` where it comes from */
export function dependenceFor(pair: Pair, from: Side, id: number, priority: Priority, own: number): Priority {
  return {...priority, dependsOn: priority.dependsOn === own ? id : (otherNumber(pair, from, priority.dependsOn) ?? 0)}
}

/** Of a stream that passes. */
export function otherNumber(pair: Pair, from: Side, streamId: number): number | undefined {
  const stream = pair.streamOf(from, streamId)
  if (!(stream instanceof PassingStream)) return undefined
  return from.peer === 'client' ? stream.upstreamId : stream.clientId
}

/** Undefined where it does not pass. */
export function priorityAcross(
  pair: Pair,
  from: Side,
  streamId: number,
  priority: Priority,
): {readonly id: number; readonly priority: Priority} | Fault | undefined {
  const id = otherNumber(pair, from, streamId)
  if (id !== undefined) return {id, priority: dependenceFor(pair, from, id, priority, streamId)}
  if (priority.dependsOn === streamId) return streamFault(streamId, 'PROTOCOL_ERROR', 'the stream depends on itself')
  return undefined
}
