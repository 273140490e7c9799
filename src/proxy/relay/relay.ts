// One connection of a client and the connection to the server that belongs to it, frame by frame.
import type {Duplex} from 'node:stream'
import type {Clock} from '../../base/clock.ts'
import {connectionFault} from '../../http2/fault.ts'
import {PrefaceReader} from '../../http2/preface.ts'
import {Draining} from './draining.ts'
import {Endings, type RelayEnding} from './endings.ts'
import type {HandleCall} from './handling.ts'
import {Pair} from './pair.ts'
import {Pings} from './pings.ts'
import type {Side} from './side.ts'
import {Traffic} from './traffic.ts'

export interface RelayOptions {
  readonly client: Duplex
  readonly upstream: Duplex
  readonly handleCall: HandleCall
}

export interface Relay {
  /** Both connections have ended, calls that outlive the client's, too. */
  readonly ended: Promise<RelayEnding>
  /** Calls that are open on either side. */
  readonly active: number
  /** The client is told to connect anew, and both end once its calls are over. A client that says nothing at all has none. */
  drain(clock: Clock): void
  /** Ends both. */
  destroy(reason: string): void
}

/** What may wait for a peer that does not read, beside DATA, which windows bound: then the other is not read, either. */
const mostBacklog = 1024 * 1024
/** The same of what its own frames bring about. */
const mostOwed = 4 * mostBacklog

const isOver = ({closing, backlog}: Side, most: number): boolean => !closing && backlog > most

/** Nothing that a peer sends makes it throw; a mistake of ours ends this pair of connections and no other. */
export function relay({client, upstream, handleCall}: RelayOptions): Relay {
  const pair: Pair = new Pair(client, upstream, handleCall, {
    room: () => resumeBoth(),
    upstreamClosed: () => endings.streamClosed(),
    streamClosed: () => draining.streamClosed(),
  })
  const endings = new Endings(pair)
  const pings = new Pings(pair)
  const draining = new Draining(pair, pings, endings)
  const traffic = new Traffic(pair, pings)
  const preface = new PrefaceReader()

  /** What comes of a side goes to the other: a server that must be read before it reads again is not held up by what waits for it. */
  const isHeldUp = (side: Side) => isOver(pair.other(side), mostBacklog) || isOver(side, mostOwed)
  const resumeBoth = () => {
    for (const side of [pair.client, pair.upstream]) if (side.socket.isPaused() && !isHeldUp(side)) side.socket.resume()
  }
  const receive = (side: Side, chunk: Uint8Array) => {
    side.reader.push(chunk)
    while (!side.lost) {
      const frame = side.reader.next()
      if (frame === undefined) break
      const whole = side.blocks.take(frame)
      const fault = whole && (whole.type === 'fault' ? whole : traffic.handle(side, whole))
      if (fault?.scope === 'connection') endings.fault(side, fault)
      else if (fault) traffic.resetStream(side, fault)
    }
    pair.client.output.flush()
    pair.upstream.output.flush()
    if (isHeldUp(side)) side.socket.pause()
  }
  const read = (side: Side, chunk: Uint8Array) => {
    if (side.lost) return
    if (side === pair.upstream || preface.whole) return receive(side, chunk)
    const rest = preface.take(chunk)
    if (rest === undefined) endings.fault(side, connectionFault('PROTOCOL_ERROR', 'that is not HTTP/2'))
    else receive(side, rest)
  }
  const guarded = (act: () => void) => {
    try {
      act()
    } catch (error) {
      endings.destroy(`a mistake of the proxy: ${error}`)
    }
  }

  for (const side of [pair.client, pair.upstream]) {
    const {socket, peer} = side
    let why = `the ${peer}’s connection was closed`
    socket.on('data', (chunk: Uint8Array) => guarded(() => read(side, chunk)))
    socket.on('end', () => guarded(() => endings.lost(side, `the ${peer} closed the connection`)))
    socket.on('error', (error) => {
      why = error.message
    })
    socket.on('close', () => guarded(() => endings.gone(side, why)))
    if (socket.destroyed) queueMicrotask(() => guarded(() => endings.gone(side, why)))
    // Whoever accepted it may have paused it, and a server may wait for the client's first word.
    else socket.resume()
  }
  return {
    ended: endings.ended,
    get active() {
      return pair.active
    },
    drain: (clock) => guarded(() => draining.begin(clock)),
    destroy: (reason) => endings.destroy(reason),
  }
}
