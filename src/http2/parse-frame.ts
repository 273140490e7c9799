// One frame's payload as a value, or what is wrong with its length, its stream or its padding (RFC 9113, 6).
import {type ConnectionFault, connectionFault, type Fault, streamFault} from './fault.ts'
import {type Frame, flags, frameTypes, type Priority} from './frame.ts'

export function parseFrame(kind: number, bits: number, streamId: number, payload: Buffer): Frame | Fault {
  switch (kind) {
    case frameTypes.DATA: {
      if (streamId === 0) return onConnection('DATA')
      const endStream = has(bits, flags.END_STREAM)
      // Most have no padding, and this is called for every frame.
      if (!has(bits, flags.PADDED)) return {type: 'DATA', streamId, endStream, data: payload}
      const content = unpad(bits, payload, 0)
      if ('scope' in content) return content
      const {body: data, ...padding} = content
      return {type: 'DATA', streamId, endStream, data, ...padding}
    }
    case frameTypes.HEADERS: {
      if (streamId === 0) return onConnection('HEADERS')
      const endStream = has(bits, flags.END_STREAM)
      const endHeaders = has(bits, flags.END_HEADERS)
      const prioritised = has(bits, flags.PRIORITY)
      if (!prioritised && !has(bits, flags.PADDED)) return {type: 'HEADERS', streamId, endStream, endHeaders, fragment: payload}
      const content = unpad(bits, payload, prioritised ? 5 : 0)
      if ('scope' in content) return content
      const {body, ...padding} = content
      if (!prioritised) return {type: 'HEADERS', streamId, endStream, endHeaders, fragment: body, ...padding}
      return {type: 'HEADERS', streamId, endStream, endHeaders, fragment: body.subarray(5), priority: priorityOf(body), ...padding}
    }
    case frameTypes.PRIORITY:
      if (streamId === 0) return onConnection('PRIORITY')
      if (payload.length !== 5) return streamFault(streamId, 'FRAME_SIZE_ERROR', `PRIORITY has ${payload.length} bytes`)
      return {type: 'PRIORITY', streamId, priority: priorityOf(payload)}
    case frameTypes.RST_STREAM:
      if (streamId === 0) return onConnection('RST_STREAM')
      if (payload.length !== 4) return wrongSize('RST_STREAM', payload)
      return {type: 'RST_STREAM', streamId, code: payload.readUInt32BE(0)}
    case frameTypes.SETTINGS:
      return settingsOf(has(bits, flags.ACK), streamId, payload)
    case frameTypes.PUSH_PROMISE: {
      if (streamId === 0) return onConnection('PUSH_PROMISE')
      const content = unpad(bits, payload, 4)
      if ('scope' in content) return content
      const {body, ...padding} = content
      const promisedId = body.readUInt32BE(0) & 0x7fff_ffff
      return {type: 'PUSH_PROMISE', streamId, promisedId, endHeaders: has(bits, flags.END_HEADERS), fragment: body.subarray(4), ...padding}
    }
    case frameTypes.PING:
      if (streamId !== 0) return onStream('PING', streamId)
      if (payload.length !== 8) return wrongSize('PING', payload)
      return {type: 'PING', ack: has(bits, flags.ACK), data: payload}
    case frameTypes.GOAWAY:
      if (streamId !== 0) return onStream('GOAWAY', streamId)
      if (payload.length < 8) return wrongSize('GOAWAY', payload)
      return {
        type: 'GOAWAY',
        lastStreamId: payload.readUInt32BE(0) & 0x7fff_ffff,
        code: payload.readUInt32BE(4),
        debug: payload.subarray(8),
      }
    case frameTypes.WINDOW_UPDATE: {
      if (payload.length !== 4) return wrongSize('WINDOW_UPDATE', payload)
      const increment = payload.readUInt32BE(0) & 0x7fff_ffff
      if (increment > 0) return {type: 'WINDOW_UPDATE', streamId, increment}
      const reason = 'WINDOW_UPDATE adds nothing'
      return streamId === 0 ? connectionFault('PROTOCOL_ERROR', reason) : streamFault(streamId, 'PROTOCOL_ERROR', reason)
    }
    case frameTypes.CONTINUATION:
      if (streamId === 0) return onConnection('CONTINUATION')
      return {type: 'CONTINUATION', streamId, endHeaders: has(bits, flags.END_HEADERS), fragment: payload}
    default:
      return {type: 'UNKNOWN', kind, flags: bits, streamId, payload}
  }
}

function has(bits: number, flag: number): boolean {
  return (bits & flag) !== 0
}

/** The payload without its padding; `fixed` bytes must be there. */
function unpad(bits: number, payload: Buffer, fixed: number): {readonly body: Buffer; readonly padding?: number} | ConnectionFault {
  if (!has(bits, flags.PADDED))
    return payload.length < fixed ? connectionFault('FRAME_SIZE_ERROR', 'a frame is shorter than its fields') : {body: payload}
  const [padding] = payload
  if (padding === undefined || payload.length < 1 + fixed) return connectionFault('FRAME_SIZE_ERROR', 'a frame is shorter than its fields')
  if (padding > payload.length - 1 - fixed) return connectionFault('PROTOCOL_ERROR', 'a frame has more padding than payload')
  return {body: payload.subarray(1, payload.length - padding), padding}
}

function priorityOf(bytes: Buffer): Priority {
  const first = bytes.readUInt32BE(0)
  return {exclusive: first >= 0x8000_0000, dependsOn: first & 0x7fff_ffff, weight: bytes.readUInt8(4)}
}

function settingsOf(ack: boolean, streamId: number, payload: Buffer): Frame | Fault {
  if (streamId !== 0) return onStream('SETTINGS', streamId)
  if (payload.length % 6 !== 0 || (ack && payload.length > 0)) return wrongSize('SETTINGS', payload)
  const values: [number, number][] = []
  for (let at = 0; at < payload.length; at += 6) values.push([payload.readUInt16BE(at), payload.readUInt32BE(at + 2)])
  return {type: 'SETTINGS', ack, values}
}

function onConnection(name: string): ConnectionFault {
  return connectionFault('PROTOCOL_ERROR', `${name} is on stream 0`)
}

function onStream(name: string, streamId: number): ConnectionFault {
  return connectionFault('PROTOCOL_ERROR', `${name} is on stream ${streamId}`)
}

function wrongSize(name: string, payload: Uint8Array): ConnectionFault {
  return connectionFault('FRAME_SIZE_ERROR', `${name} has ${payload.length} bytes`)
}
