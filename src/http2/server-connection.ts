// The server's side of a connection.
import type {Duplex} from 'node:stream'
import {checkRequest} from './check-fields.ts'
import {Connection, tooManyFields} from './connection.ts'
import type {ConnectionEnding, ConnectionOptions} from './connection-role.ts'
import {connectionFault, errorCodes, type Fault, streamFault} from './fault.ts'
import type {HeaderField} from './header-field.ts'
import type {DecodedFields} from './hpack-decoder.ts'
import {PrefaceReader} from './preface.ts'
import type {Stream} from './stream.ts'

type Members = 'id' | 'state' | 'failure' | 'trailers' | 'signal' | 'read' | 'discard' | 'sendHeaders' | 'write' | 'end' | 'reset'

export interface ServerStream extends Pick<Stream, Members>, AsyncIterable<Uint8Array> {}

export interface ServerOptions extends ConnectionOptions {
  /** Default 250; streams beyond it are refused. */
  readonly maxConcurrentStreams?: number
  /**
   * Of each request. What it returns settles when the work is over, which may be after the stream was reset: four times as many as there may be
   * streams, and the connection ends (a client that resets all it opens; golang.org/x/net/http2 bounds it the same way). A failure resets the stream.
   */
  readonly onStream: (stream: ServerStream, request: readonly HeaderField[]) => void | Promise<void>
}

export interface ServerConnection {
  readonly ended: Promise<ConnectionEnding>
  /** Streams that are open. */
  readonly active: number
  /** GOAWAY; streams that came before it may end. */
  close(): void
  /** GOAWAY, and all streams fail. */
  destroy(code?: number, reason?: string): void
}

/** Reads from the socket at once. */
export function serveConnection(socket: Duplex, options: ServerOptions): ServerConnection {
  const {maxConcurrentStreams = 250, onStream} = options
  const preface = new PrefaceReader()
  let prefaceSeen = false
  /** The last that we took, and the last that came at all. */
  let last = 0
  let seen = 0
  let working = 0
  let draining = false

  const work = async (stream: Stream, request: readonly HeaderField[]) => {
    working++
    try {
      await onStream(stream, request)
    } catch {
      stream.reset(errorCodes.INTERNAL_ERROR)
    } finally {
      working--
    }
  }
  const endWhenDrained = () => {
    if (draining && connection.streams.size === 0) connection.finish({by: 'us', code: errorCodes.NO_ERROR, reason: ''})
  }
  const open = (streamId: number, {fields, truncated}: DecodedFields, endStream: boolean): Fault | undefined => {
    if (streamId % 2 === 0) return connectionFault('PROTOCOL_ERROR', `a client opens stream ${streamId}`)
    const isNew = streamId > seen
    seen = Math.max(seen, streamId)
    // RFC 9113, 6.8: what comes behind our GOAWAY may be passed over.
    if (draining && streamId > last) return undefined
    if (!isNew) return connectionFault('STREAM_CLOSED', `HEADERS came for stream ${streamId}, which is over`)
    last = streamId
    if (truncated) return tooManyFields(streamId)
    const malformed = checkRequest(fields)
    if (malformed) return streamFault(streamId, 'PROTOCOL_ERROR', malformed)
    if (connection.streams.size >= maxConcurrentStreams) return streamFault(streamId, 'REFUSED_STREAM', 'there are too many streams')
    if (working >= maxConcurrentStreams * 4) return connectionFault('ENHANCE_YOUR_CALM', 'too many streams were opened and reset')
    const stream = connection.openStream(streamId, fields)
    const fault = endStream ? stream.receivedEnd() : undefined
    if (!fault) void work(stream, fields)
    return fault
  }

  const connection: Connection = new Connection(
    socket,
    {
      side: 'server',
      settings: {maxConcurrentStreams},
      headersOfUnknown: open,
      isIdle: (streamId) => streamId % 2 === 0 || streamId > seen,
      goaway: () => undefined,
      settingsCame: () => undefined,
      streamClosed: endWhenDrained,
      lastPeerStream: () => last,
    },
    options,
  )
  connection.start(new Uint8Array(0))
  socket.on('data', (chunk: Uint8Array) => {
    if (prefaceSeen) return connection.receive(chunk)
    const rest = preface.take(chunk)
    if (rest === undefined) return connection.fault(connectionFault('PROTOCOL_ERROR', 'that is not HTTP/2'))
    prefaceSeen = preface.whole
    connection.receive(rest)
  })
  return {
    ended: connection.ended,
    get active() {
      return connection.streams.size
    },
    close: () => {
      if (draining) return
      draining = true
      connection.sendGoaway(errorCodes.NO_ERROR)
      endWhenDrained()
    },
    destroy: (code = errorCodes.NO_ERROR, reason = '') => connection.finish({by: 'us', code, reason}),
  }
}
