// Frames of extensions (RFC 9113, 5.5) under the other side's numbers. Of streams that do not pass they are left out.
import type {Frame} from '../../http2/frame.ts'
import type {Pair} from './pair.ts'
import {otherNumber} from './priority.ts'
import type {Side} from './side.ts'

type UnknownFrame = Extract<Frame, {type: 'UNKNOWN'}>

/** RFC 9218, 7.1: on stream 0, and the number of the stream that is meant comes first. */
const priorityUpdate = 0x10

export function unknownAcross(pair: Pair, from: Side, frame: UnknownFrame): UnknownFrame | undefined {
  if (frame.streamId !== 0) {
    const streamId = otherNumber(pair, from, frame.streamId)
    return streamId === undefined ? undefined : {...frame, streamId}
  }
  if (frame.kind !== priorityUpdate || frame.payload.length < 4) return frame
  const payload = Buffer.from(frame.payload)
  const meant = otherNumber(pair, from, payload.readUInt32BE(0) & 0x7fff_ffff)
  if (meant === undefined) return undefined
  payload.writeUInt32BE(meant, 0)
  return {...frame, payload}
}
