// How the two connections end: the end of one goes on to the other, behind what was queued. Calls that outlive their client keep the server's.
import {type ConnectionFault, errorCodes} from '../../http2/fault.ts'
import {Stream} from '../../http2/stream.ts'
import {StreamFailure} from '../../http2/stream-failure.ts'
import type {Pair} from './pair.ts'
import type {Side} from './side.ts'

export interface RelayEnding {
  readonly side: 'client' | 'server' | 'proxy'
  readonly reason: string
}

export class Endings {
  readonly #pair: Pair
  readonly #ended = Promise.withResolvers<RelayEnding>()
  readonly #gone = new Set<Side>()
  #first: RelayEnding | undefined

  constructor(pair: Pair) {
    this.#pair = pair
  }

  get ended(): Promise<RelayEnding> {
    return this.#ended.promise
  }

  /** Nothing more comes of it: it has closed its half, or is gone, or its fault ends it. @param by who ended it */
  lost(side: Side, reason: string, by: RelayEnding['side'] = this.#endedBy(side)): void {
    if (side.lost) return
    side.lost = true
    this.#first ??= {side: side.peer, reason}
    const {client, upstream, openings} = this.#pair
    for (const stream of this.#pair.passing()) stream.watched?.ended({kind: 'lost', side: by, reason})
    // A client that leaves takes its calls back, as with RST_STREAM for each.
    const failure = new StreamFailure(
      by === 'client' ? {code: errorCodes.CANCEL, by: 'peer', reason} : {code: errorCodes.NO_ERROR, by: 'connection', reason},
    )
    if (side === upstream) openings.fail(failure)
    for (const stream of [...side.streams.values()]) if (stream instanceof Stream) stream.fail(failure)
    // What a server said before it left, the client may still take; it would not have kept what a client could not send.
    if (side === upstream) {
      client.endWhenDrained(true, () => this.#end(client))
      if (!upstream.closing) upstream.endWhenDrained(false, () => this.#end(upstream))
      return
    }
    if (this.#pair.outliving.size === 0) {
      upstream.endWhenDrained(false, () => this.#end(upstream))
      return
    }
    for (const stream of [...this.#pair.passing()]) stream.reset(upstream, errorCodes.CANCEL)
    this.#end(client)
  }

  /** Its socket is closed. */
  gone(side: Side, reason: string): void {
    if (this.#gone.has(side)) return
    this.#gone.add(side)
    const by = this.#endedBy(side)
    side.closing = true
    this.lost(side, reason, by)
    for (const stream of side.streams.values()) if (!(stream instanceof Stream)) stream.dropTo(side)
    const other = this.#pair.other(side)
    if (!this.#gone.has(other)) {
      if (other.ended) other.socket.destroy()
      else other.socket.resume()
      return
    }
    side.streams.clear()
    other.streams.clear()
    this.#ended.resolve(this.#first ?? {side: side.peer, reason})
  }

  /** A peer's, which ends with GOAWAY. */
  fault(side: Side, {code, reason}: ConnectionFault): void {
    if (side.lost) return
    const {client, upstream, lastClientId} = this.#pair
    const debug = Buffer.from(reason)
    if (side === client) client.frame({type: 'GOAWAY', lastStreamId: lastClientId, code, debug})
    else {
      upstream.frame({type: 'GOAWAY', lastStreamId: 0, code, debug})
      client.frame({
        type: 'GOAWAY',
        lastStreamId: lastClientId,
        code: errorCodes.INTERNAL_ERROR,
        debug: Buffer.from(`the server: ${reason}`),
      })
    }
    this.lost(side, reason, 'proxy')
    this.#end(side)
  }

  /** A stream that outlives its client is over. */
  streamClosed(): void {
    const {client, upstream} = this.#pair
    if (!client.lost || upstream.closing || this.#pair.outliving.size > 0) return
    upstream.frame({type: 'GOAWAY', lastStreamId: 0, code: errorCodes.NO_ERROR, debug: new Uint8Array(0)})
    upstream.endWhenDrained(false, () => this.#end(upstream))
  }

  /** All calls are over, and the client has been told to connect anew. */
  drained(): void {
    const reason = 'the proxy ends'
    this.#first ??= {side: 'proxy', reason}
    this.lost(this.#pair.upstream, reason, 'proxy')
  }

  destroy(reason: string): void {
    this.#first ??= {side: 'proxy', reason}
    const {client, upstream} = this.#pair
    for (const side of [client, upstream]) {
      this.lost(side, reason, 'proxy')
      side.socket.destroy()
    }
  }

  /** One whose other side is lost is ended by us, whichever way it ends. */
  #endedBy(side: Side): RelayEnding['side'] {
    return side.closing || this.#pair.other(side).lost ? 'proxy' : side.peer
  }

  #end(side: Side): void {
    side.closing = true
    side.letGo()
    side.output.end(() =>
      side.socket.end(() => {
        side.ended = true
        const other = this.#pair.other(side)
        if (this.#gone.has(other) || side.lost) side.socket.destroy()
      }),
    )
  }
}
