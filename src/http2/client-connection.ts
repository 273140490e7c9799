// The client's side of a connection.
import type {Duplex} from 'node:stream'
import {Connection} from './connection.ts'
import type {ConnectionEnding, ConnectionOptions} from './connection-role.ts'
import {connectionFault, errorCodes, type Fault, streamFault} from './fault.ts'
import type {HeaderField} from './header-field.ts'
import {clientPreface} from './preface.ts'
import type {Settings} from './settings.ts'
import type {Stream} from './stream.ts'
import {StreamFailure} from './stream-failure.ts'

type Members = 'id' | 'state' | 'failure' | 'trailers' | 'signal' | 'response' | 'read' | 'discard' | 'write' | 'end' | 'reset'

export interface ClientStream extends Pick<Stream, Members>, AsyncIterable<Uint8Array> {}

export interface ClientConnection {
  readonly ended: Promise<ConnectionEnding>
  /** The server's SETTINGS: a socket that merely accepts is no server yet. @throws StreamFailure */
  readonly ready: Promise<Settings>
  /** The server will take no more streams. */
  readonly goingAway: boolean
  /** Waits while the server has as many streams as it takes. @throws StreamFailure */
  request(fields: readonly HeaderField[], options?: {readonly endStream?: boolean; readonly signal?: AbortSignal}): Promise<ClientStream>
  ping(): Promise<void>
  /** No stream more; those that are open may end. */
  close(): void
  destroy(code?: number): void
}

/** How many streams we open until the server says how many it takes, as golang.org/x/net/http2 does. */
const unsaid = 100

/** The largest number of a stream. */
const lastNumber = 2 ** 31 - 1

export function openConnection(socket: Duplex, options: ConnectionOptions = {}): ClientConnection {
  const ready = Promise.withResolvers<Settings>()
  ready.promise.catch(() => undefined)
  const waiting = new Set<() => void>()
  let next = 1
  let limit = unsaid
  let goingAway = false
  let closing = false

  const endWhenDone = () => {
    if ((closing || goingAway) && connection.streams.size === 0 && waiting.size === 0)
      connection.finish({by: closing ? 'us' : 'peer', code: errorCodes.NO_ERROR, reason: ''})
  }
  const wakeAll = () => {
    for (const wake of [...waiting]) wake()
  }
  const connection: Connection = new Connection(
    socket,
    {
      side: 'client',
      settings: {enablePush: false},
      headersOfUnknown: (streamId): Fault =>
        streamId % 2 === 0 || streamId >= next
          ? connectionFault('PROTOCOL_ERROR', `HEADERS came for stream ${streamId}, which nobody opened`)
          : streamFault(streamId, 'STREAM_CLOSED', 'HEADERS came for a stream that is over'),
      isIdle: (streamId) => streamId % 2 === 0 || streamId >= next,
      goaway: (lastStreamId, code) => {
        goingAway = true
        for (const stream of [...connection.streams.values()])
          if (stream.id > lastStreamId) stream.fail(new StreamFailure({code, by: 'connection', unprocessed: true, reason: 'GOAWAY'}))
        wakeAll()
        endWhenDone()
      },
      settingsCame: (settings) => {
        limit = settings.maxConcurrentStreams
        ready.resolve(settings)
        wakeAll()
      },
      streamClosed: () => {
        const [wake] = waiting
        wake?.()
        endWhenDone()
      },
      lastPeerStream: () => 0,
    },
    options,
  )
  void connection.ended.then(({code, reason}) => {
    ready.reject(new StreamFailure({code, by: 'connection', unprocessed: true, reason}))
    wakeAll()
  })
  connection.start(clientPreface)
  socket.on('data', (chunk: Uint8Array) => connection.receive(chunk))

  const refusal = () => {
    if (connection.hasEnded || goingAway || closing || next > lastNumber)
      return new StreamFailure({code: errorCodes.REFUSED_STREAM, by: 'connection', unprocessed: true, reason: 'it takes no more streams'})
    return undefined
  }
  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const settle = (act: () => void) => {
        waiting.delete(wake)
        signal?.removeEventListener('abort', abort)
        act()
      }
      const wake = () => settle(resolve)
      const abort = () => settle(() => reject(signal?.reason))
      waiting.add(wake)
      signal?.addEventListener('abort', abort, {once: true})
    })

  return {
    ended: connection.ended,
    ready: ready.promise,
    get goingAway() {
      return goingAway || connection.hasEnded
    },
    request: async (fields, {endStream = false, signal} = {}) => {
      for (;;) {
        signal?.throwIfAborted()
        const refused = refusal()
        if (refused) throw refused
        if (connection.streams.size < limit) break
        await turn(signal)
      }
      const stream = connection.openStream(next)
      next += 2
      stream.sendHeaders(fields, {endStream})
      return stream
    },
    ping: () => connection.ping(),
    close: () => {
      closing = true
      wakeAll()
      endWhenDone()
    },
    destroy: (code = errorCodes.NO_ERROR) => connection.finish({by: 'us', code, reason: ''}),
  }
}
