// A peer that writes frames by hand and keeps what comes back.
import {type Duplex, duplexPair} from 'node:stream'
import {setImmediate} from 'node:timers/promises'
import type {Fault} from '../../src/http2/fault.ts'
import type {Frame} from '../../src/http2/frame.ts'
import {FrameReader} from '../../src/http2/frame-reader.ts'
import type {HeaderField} from '../../src/http2/header-field.ts'
import {HpackDecoder} from '../../src/http2/hpack-decoder.ts'
import {HpackEncoder} from '../../src/http2/hpack-encoder.ts'
import {clientPreface} from '../../src/http2/preface.ts'
import {writeFrame} from '../../src/http2/write-frame.ts'

export interface RawPeer {
  readonly socket: Duplex
  /** All that came so far. */
  readonly frames: readonly (Frame | Fault)[]
  /** The other side has closed it. */
  readonly closed: boolean
  send(...parts: readonly (Frame | Uint8Array)[]): void
  /** HEADERS of a gRPC-like request, unless told otherwise. */
  open(streamId: number, options?: {readonly endStream?: boolean; readonly fields?: readonly HeaderField[]}): Frame
  fields(frame: Frame): readonly HeaderField[]
  /** Waits until nothing more happens. */
  settled(): Promise<void>
}

export const requestFields: readonly HeaderField[] = [
  {name: ':method', value: 'POST'},
  {name: ':scheme', value: 'http'},
  {name: ':authority', value: '/run/x.sock'},
  {name: ':path', value: '/a.B/C'},
]

export const emptySettings: Frame = {type: 'SETTINGS', ack: false, values: []}

/** @param side what it plays: a client has sent its preface and both have sent SETTINGS. */
export function rawPeer(side: 'client' | 'server', {greets = true} = {}): {readonly peer: RawPeer; readonly other: Duplex} {
  const [socket, other] = duplexPair()
  const reader = new FrameReader(2 ** 24)
  const frames: (Frame | Fault)[] = []
  const encoder = new HpackEncoder()
  const decoder = new HpackDecoder({maxListSize: 1e7})
  let skip = side === 'server' ? clientPreface.length : 0
  let closed = false
  socket.on('data', (chunk: Buffer) => {
    const rest = chunk.subarray(Math.min(skip, chunk.length))
    skip -= chunk.length - rest.length
    reader.push(rest)
    for (let frame = reader.next(); frame; frame = reader.next()) frames.push(frame)
  })
  socket.on('error', () => undefined)
  socket.on('end', () => {
    closed = true
  })
  const peer: RawPeer = {
    socket,
    frames,
    get closed() {
      return closed
    },
    send: (...parts) => {
      if (!socket.writable) return
      socket.write(Buffer.concat(parts.map((part) => (part instanceof Uint8Array ? part : writeFrame(part)))))
    },
    open: (streamId, {endStream = true, fields = requestFields} = {}) => ({
      type: 'HEADERS',
      streamId,
      endStream,
      endHeaders: true,
      fragment: encoder.encode(fields),
    }),
    fields: (frame) => {
      const decoded = frame.type === 'HEADERS' ? decoder.decode(frame.fragment) : undefined
      return decoded?.type === 'fields' ? decoded.fields : []
    },
    settled: async () => {
      for (let quiet = 0, before = -1; quiet < 5; ) {
        await setImmediate()
        quiet = before === frames.length ? quiet + 1 : 0
        before = frames.length
      }
    },
  }
  if (side === 'client' && greets) peer.send(clientPreface, emptySettings, {type: 'SETTINGS', ack: true, values: []})
  if (side === 'server' && greets) peer.send(emptySettings, {type: 'SETTINGS', ack: true, values: []})
  return {peer, other}
}
