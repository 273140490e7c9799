// Frames as bytes.
import {type Frame, flags, frameHeaderBytes, frameTypes, type HeadersFrame, type Priority} from './frame.ts'

export function writeFrame(frame: Frame): Buffer {
  switch (frame.type) {
    case 'DATA':
      return padded(frameTypes.DATA, frame.endStream ? flags.END_STREAM : 0, frame.streamId, frame.padding, [frame.data])
    case 'HEADERS': {
      const {streamId, fragment, priority, padding} = frame
      const parts = priority ? [priorityBytes(priority), fragment] : [fragment]
      return padded(frameTypes.HEADERS, headersFlags(frame), streamId, padding, parts)
    }
    case 'PRIORITY':
      return bytesOf(frameTypes.PRIORITY, 0, frame.streamId, [priorityBytes(frame.priority)])
    case 'RST_STREAM':
      return bytesOf(frameTypes.RST_STREAM, 0, frame.streamId, [uint32(frame.code)])
    case 'SETTINGS': {
      const payload = Buffer.allocUnsafe(6 * frame.values.length)
      for (const [index, [id, value]] of frame.values.entries()) {
        payload.writeUInt16BE(id, 6 * index)
        payload.writeUInt32BE(value, 6 * index + 2)
      }
      return bytesOf(frameTypes.SETTINGS, frame.ack ? flags.ACK : 0, 0, [payload])
    }
    case 'PUSH_PROMISE': {
      const {streamId, promisedId, endHeaders, fragment, padding} = frame
      return padded(frameTypes.PUSH_PROMISE, endHeaders ? flags.END_HEADERS : 0, streamId, padding, [uint32(promisedId), fragment])
    }
    case 'PING':
      return bytesOf(frameTypes.PING, frame.ack ? flags.ACK : 0, 0, [frame.data])
    case 'GOAWAY':
      return bytesOf(frameTypes.GOAWAY, 0, 0, [uint32(frame.lastStreamId), uint32(frame.code), frame.debug])
    case 'WINDOW_UPDATE':
      return bytesOf(frameTypes.WINDOW_UPDATE, 0, frame.streamId, [uint32(frame.increment)])
    case 'CONTINUATION':
      return bytesOf(frameTypes.CONTINUATION, frame.endHeaders ? flags.END_HEADERS : 0, frame.streamId, [frame.fragment])
    case 'UNKNOWN':
      return bytesOf(frame.kind, frame.flags, frame.streamId, [frame.payload])
    default:
      return frame satisfies never
  }
}

/** The header alone, for DATA whose bytes are not to be copied. */
export function dataFrameHeader(streamId: number, length: number, endStream: boolean): Buffer {
  return header(Buffer.allocUnsafe(frameHeaderBytes), length, frameTypes.DATA, endStream ? flags.END_STREAM : 0, streamId)
}

/** A whole block, cut into HEADERS and CONTINUATION where it is larger than a frame may be. */
export function writeHeaderBlock(
  streamId: number,
  block: Uint8Array,
  endStream: boolean,
  maxFrameSize: number,
  priority?: Priority,
): Buffer[] {
  const frames: Buffer[] = []
  let at = 0
  do {
    const first = at === 0
    const fragment = block.subarray(at, at + (first && priority ? maxFrameSize - 5 : maxFrameSize))
    at += fragment.length
    const endHeaders = at >= block.length
    frames.push(
      writeFrame(
        first
          ? {type: 'HEADERS', streamId, endStream, endHeaders, fragment, ...(priority && {priority})}
          : {type: 'CONTINUATION', streamId, endHeaders, fragment},
      ),
    )
  } while (at < block.length)
  return frames
}

function headersFlags({endStream, endHeaders, priority}: HeadersFrame): number {
  return (endStream ? flags.END_STREAM : 0) | (endHeaders ? flags.END_HEADERS : 0) | (priority ? flags.PRIORITY : 0)
}

function padded(kind: number, bits: number, streamId: number, padding: number | undefined, parts: readonly Uint8Array[]): Buffer {
  if (padding === undefined) return bytesOf(kind, bits, streamId, parts)
  return bytesOf(kind, bits | flags.PADDED, streamId, [Uint8Array.of(padding), ...parts, new Uint8Array(padding)])
}

function bytesOf(kind: number, bits: number, streamId: number, parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const bytes = header(Buffer.allocUnsafe(frameHeaderBytes + length), length, kind, bits, streamId)
  let at = frameHeaderBytes
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

function header(bytes: Buffer, length: number, kind: number, bits: number, streamId: number): Buffer {
  bytes.writeUIntBE(length, 0, 3)
  bytes.writeUInt8(kind, 3)
  bytes.writeUInt8(bits, 4)
  bytes.writeUInt32BE(streamId, 5)
  return bytes
}

function priorityBytes({exclusive, dependsOn, weight}: Priority): Uint8Array {
  const bytes = Buffer.allocUnsafe(5)
  bytes.writeUInt32BE(exclusive ? dependsOn + 0x8000_0000 : dependsOn, 0)
  bytes.writeUInt8(weight, 4)
  return bytes
}

function uint32(value: number): Uint8Array {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeUInt32BE(value, 0)
  return bytes
}
