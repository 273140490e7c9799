// What belongs to one client's connection and its connection to the server: both sides, and the numbers of the streams of each.
import type {Duplex} from 'node:stream'
import {errorCodes} from '../../http2/fault.ts'
import type {HeaderField} from '../../http2/header-field.ts'
import type {Stream} from '../../http2/stream.ts'
import {StreamFailure} from '../../http2/stream-failure.ts'
import type {CallWatcher, HandleCall} from './handling.ts'
import {Openings} from './openings.ts'
import {OverIds} from './over-ids.ts'
import {type PassingHost, PassingStream} from './passing-stream.ts'
import {Side} from './side.ts'
import {sentEnd, TakenStreams} from './taken-streams.ts'
import {WatchedCall} from './watched-call.ts'

/** How many streams we open until the server says how many it takes, as golang.org/x/net/http2 does. */
const unsaid = 100

/** Streams whose end a peer may not have heard of: what it still says of them passes. */
const remembered = 100

export interface PairPort {
  /** A socket has taken something. */
  readonly room: () => void
  /** A stream that somebody opened upstream is over. */
  readonly upstreamClosed: () => void
  /** A stream of either side is over. */
  readonly streamClosed: () => void
}

export class Pair {
  readonly client: Side
  readonly upstream: Side
  readonly handleCall: HandleCall
  readonly clientEnds: TakenStreams
  readonly upstreamEnds: TakenStreams
  readonly openings: Openings
  /** Upstream streams that go on without their client. */
  readonly outliving = new Set<Stream>()
  /** Told when our end of a client's stream is over. */
  readonly onClientClosed = new Map<Stream, () => void>()
  /** Waits for the server's SETTINGS, before which a client takes no answer. */
  readonly onGreeted: (() => void)[] = []
  /** The last numbers that the client and we have used, and that the server has promised. */
  lastClientId = 0
  lastUpstreamId = -1
  lastPromisedId = 0
  /** What came behind the server's GOAWAY counts for nothing. */
  refusedAbove = Number.POSITIVE_INFINITY
  goingAway = false
  readonly #host: PassingHost
  readonly #over = new OverIds(remembered)
  #live = 0

  constructor(client: Duplex, upstream: Duplex, handleCall: HandleCall, {room, upstreamClosed, streamClosed}: PairPort) {
    this.handleCall = handleCall
    this.client = new Side('client', client, {room, sentEnd: (stream) => sentEnd(this.client, stream)})
    this.upstream = new Side('server', upstream, {room, sentEnd: (stream) => sentEnd(this.upstream, stream)})
    const over = (ended: PassingStream) => {
      this.forget(ended)
      this.#over.add(ended.clientId, ended.upstreamId)
      if (ended.upstreamId % 2 === 1) this.#closed()
      streamClosed()
    }
    this.#host = {client: this.client, upstream: this.upstream, over}
    this.clientEnds = new TakenStreams(this.client, this.upstream, (stream) => {
      const act = this.onClientClosed.get(stream)
      this.onClientClosed.delete(stream)
      act?.()
      streamClosed()
    })
    this.upstreamEnds = new TakenStreams(this.upstream, this.client, (stream) => {
      this.outliving.delete(stream)
      this.#closed()
      upstreamClosed()
      streamClosed()
    })
    this.openings = new Openings(() => this.#live < this.#limit)
  }

  /** Streams that are open on either side. */
  get active(): number {
    return Math.max(this.client.streams.size, this.upstream.streams.size)
  }

  other(side: Side): Side {
    return side === this.client ? this.upstream : this.client
  }

  /** Nobody has used that number on that side yet. */
  isIdle(side: Side, streamId: number): boolean {
    if (streamId % 2 === 0) return streamId > this.lastPromisedId
    return streamId > (side === this.client ? this.lastClientId : this.lastUpstreamId)
  }

  pass(clientId: number, upstreamId: number, watcher?: CallWatcher): PassingStream {
    const {client, upstream} = this
    const stream = new PassingStream(this.#host, clientId, upstreamId, {watched: watcher && new WatchedCall(watcher)})
    client.streams.set(clientId, stream)
    upstream.streams.set(upstreamId, stream)
    if (upstreamId % 2 === 1) this.#live++
    return stream
  }

  /** That number's stream, also one that passed and is over. */
  streamOf(side: Side, id: number): PassingStream | Stream | undefined {
    const open = side.streams.get(id)
    // Of one that we reset nothing passes.
    if (open || side.recentlyReset.has(id)) return open
    const other = side === this.client ? this.#over.ofClient(id) : this.#over.ofUpstream(id)
    if (other === undefined) return undefined
    return side === this.client ? new PassingStream(this.#host, id, other) : new PassingStream(this.#host, other, id)
  }

  nextUpstreamId(): number {
    this.lastUpstreamId += 2
    return this.lastUpstreamId
  }

  openUpstream(fields: readonly HeaderField[], endStream: boolean, outlives: boolean): Stream {
    const stream = this.upstreamEnds.open(this.nextUpstreamId())
    this.#live++
    if (outlives) this.outliving.add(stream)
    stream.sendHeaders(fields, {endStream})
    this.upstreamEnds.widen(stream)
    return stream
  }

  /** Why nothing can be opened upstream any more. */
  refusal(): StreamFailure | undefined {
    if (!this.goingAway && !this.upstream.lost && !this.upstream.closing) return undefined
    return new StreamFailure({code: errorCodes.REFUSED_STREAM, by: 'connection', unprocessed: true, reason: 'it takes no more streams'})
  }

  *passing(): Generator<PassingStream> {
    for (const stream of this.client.streams.values()) if (stream instanceof PassingStream) yield stream
  }

  forget(stream: PassingStream): void {
    this.client.streams.delete(stream.clientId)
    this.upstream.streams.delete(stream.upstreamId)
  }

  get #limit(): number {
    const {said} = this.upstream
    return said.came ? said.latest.maxConcurrentStreams : unsaid
  }

  #closed(): void {
    this.#live--
    this.openings.pump()
  }
}
