// What comes of one side, frame by frame: where it goes on to, or what is wrong with it.
import {connectionFault, type Fault, streamFault} from '../../http2/fault.ts'
import {sentTooMuch, windowTooLarge} from '../../http2/flow-window.ts'
import {type DataFrame, type Frame, flowLength, type HeadersFrame, type PushPromiseFrame, type SettingsFrame} from '../../http2/frame.ts'
import {clientPreface} from '../../http2/preface.ts'
import {StreamFailure} from '../../http2/stream-failure.ts'
import {clientCall} from './client-call.ts'
import {goawayFromServer} from './goaway.ts'
import type {Pair} from './pair.ts'
import {PassingStream} from './passing-stream.ts'
import type {Pings} from './pings.ts'
import {priorityAcross} from './priority.ts'
import type {Side} from './side.ts'
import {unknownAcross} from './unknown-frame.ts'

export class Traffic {
  readonly #pair: Pair
  readonly #pings: Pings

  constructor(pair: Pair, pings: Pings) {
    this.#pair = pair
    this.#pings = pings
  }

  handle(from: Side, frame: Frame): Fault | undefined {
    const to = this.#pair.other(from)
    if (from.peer === 'server' && (frame.type === 'DATA' || frame.type === 'HEADERS')) this.#pings.serverSent()
    if (!from.said.came && (frame.type !== 'SETTINGS' || frame.ack))
      return connectionFault('PROTOCOL_ERROR', `${frame.type} came before SETTINGS`)
    switch (frame.type) {
      case 'DATA':
        return this.#data(from, to, frame)
      case 'HEADERS':
        return this.#headers(from, to, frame)
      case 'RST_STREAM':
        return this.#reset(from, to, frame.streamId, frame.code)
      case 'WINDOW_UPDATE':
        return this.#windowUpdate(from, to, frame.streamId, frame.increment)
      case 'SETTINGS':
        return frame.ack ? this.#acknowledged(from, to) : this.#settings(from, to, frame)
      case 'PING':
        if (from.peer === 'client') this.#pings.fromClient(frame, from.reader.raw)
        else this.#pings.fromServer(frame, from.reader.raw)
        return undefined
      case 'GOAWAY':
        // A client's names streams that the server promised, whose numbers are the same on both sides.
        if (from.peer === 'client') to.write(from.reader.raw)
        else goawayFromServer(this.#pair, frame)
        return undefined
      case 'PUSH_PROMISE':
        return this.#promise(from, to, frame)
      case 'PRIORITY': {
        const across = priorityAcross(this.#pair, from, frame.streamId, frame.priority)
        if (across && 'type' in across) return across
        if (across) to.frame({type: 'PRIORITY', streamId: across.id, priority: across.priority})
        return undefined
      }
      case 'UNKNOWN': {
        const across = unknownAcross(this.#pair, from, frame)
        if (across) to.frame(across)
        return undefined
      }
      case 'CONTINUATION':
        return undefined
      default:
        return frame satisfies never
    }
  }

  /** Of one stream, or a header list too many: that stream is over on both sides. */
  resetStream(from: Side, {streamId, code, reason}: Extract<Fault, {scope: 'stream'}>): void {
    const stream = this.#pair.streamOf(from, streamId)
    if (stream instanceof PassingStream && !stream.isOver) {
      this.#pair.client.recentlyReset.add(stream.clientId)
      this.#pair.upstream.recentlyReset.add(stream.upstreamId)
      stream.abort(code)
      this.#pair.forget(stream)
      return
    }
    from.recentlyReset.add(streamId)
    from.reset(streamId, code)
    if (stream && !(stream instanceof PassingStream)) stream.fail(new StreamFailure({code, by: 'us', reason}))
  }

  #data(from: Side, to: Side, frame: DataFrame): Fault | undefined {
    const {streamId} = frame
    const length = flowLength(frame)
    if (!from.receiveWindow.receive(length)) return sentTooMuch(0)
    const stream = this.#pair.streamOf(from, streamId)
    if (stream instanceof PassingStream) {
      stream.data(to, frame, from.reader.raw)
      return undefined
    }
    if (stream) return this.#ends(from).data(stream, frame)
    from.release(length)
    if (this.#pair.isIdle(from, streamId)) return onIdle(frame)
    return from.recentlyReset.has(streamId) ? undefined : streamFault(streamId, 'STREAM_CLOSED', 'DATA came for a stream that is over')
  }

  #headers(from: Side, to: Side, frame: HeadersFrame): Fault | undefined {
    const {streamId, endStream, priority} = frame
    // Decoded whatever becomes of it, as the blocks behind it build on it.
    const headers = from.decoder.decode(frame.fragment)
    if (headers.type === 'fault') return headers
    const stream = this.#pair.streamOf(from, streamId)
    if (!stream) {
      if (from.peer === 'client') return clientCall(this.#pair, frame, headers)
      if (this.#pair.isIdle(from, streamId)) return onIdle(frame)
      return from.recentlyReset.has(streamId) ? undefined : streamFault(streamId, 'STREAM_CLOSED', 'HEADERS came for a stream that is over')
    }
    if (headers.truncated) return streamFault(streamId, 'ENHANCE_YOUR_CALM', 'there are more header fields than we take')
    if (!(stream instanceof PassingStream)) return stream.receiveHeaders(headers.fields, endStream)
    stream.headers(to, headers.fields, endStream, priority && {...priority, dependsOn: 0})
    return undefined
  }

  #reset(from: Side, to: Side, streamId: number, code: number): Fault | undefined {
    if (this.#pair.isIdle(from, streamId)) return onIdle({type: 'RST_STREAM', streamId})
    const stream = this.#pair.streamOf(from, streamId)
    if (stream instanceof PassingStream) stream.reset(to, code)
    else stream?.peerReset(code)
    return undefined
  }

  #windowUpdate(from: Side, to: Side, streamId: number, increment: number): Fault | undefined {
    if (streamId === 0) {
      if (!from.scheduler.window.add(increment)) return windowTooLarge(0)
      from.scheduler.resume()
      return undefined
    }
    if (this.#pair.isIdle(from, streamId)) return onIdle({type: 'WINDOW_UPDATE', streamId})
    const stream = this.#pair.streamOf(from, streamId)
    if (!stream) return undefined
    if (stream instanceof PassingStream) {
      const id = stream.idAt(to)
      if (id === streamId) to.write(from.reader.raw)
      else to.grant(id, increment)
      return undefined
    }
    if (!stream.sendWindow.add(increment)) return windowTooLarge(streamId)
    from.scheduler.ready(stream)
    return undefined
  }

  #settings(from: Side, to: Side, frame: SettingsFrame): Fault | undefined {
    const first = !from.said.came
    const fault = from.said.add(frame)
    if (fault) return fault
    to.reader.maxFrameSize = from.said.largestFrame
    const bytes = from.reader.raw
    if (!first) to.write(bytes)
    else if (to.peer === 'server') to.greet(clientPreface, bytes)
    else to.greet(bytes)
    if (from.peer === 'client') return undefined
    for (const act of this.#pair.onGreeted.splice(0)) act()
    this.#pair.openings.pump()
    return undefined
  }

  /** Now both peers go by it, and so do we between them. */
  #acknowledged(from: Side, to: Side): Fault | undefined {
    to.write(from.reader.raw)
    const change = to.said.acknowledge()
    if (!change) return undefined
    const {before, after} = change
    from.reader.maxFrameSize = to.said.largestFrame
    if (after.headerTableSize !== before.headerTableSize) from.decoder.setTableLimit(after.headerTableSize)
    const more = after.initialWindowSize - before.initialWindowSize
    if (more === 0) return undefined
    this.#ends(from).resize(before.initialWindowSize, after.initialWindowSize)
    this.#ends(to).adjust(more)
    return undefined
  }

  #promise(from: Side, to: Side, frame: PushPromiseFrame): Fault | undefined {
    const {streamId, promisedId} = frame
    const headers = from.decoder.decode(frame.fragment)
    if (headers.type === 'fault') return headers
    if (from.peer === 'client') return connectionFault('PROTOCOL_ERROR', 'a client promises nothing')
    if (promisedId % 2 === 1 || !this.#pair.isIdle(from, promisedId))
      return connectionFault('PROTOCOL_ERROR', `PUSH_PROMISE promises stream ${promisedId}`)
    this.#pair.lastPromisedId = promisedId
    const stream = this.#pair.streamOf(from, streamId)
    if (!(stream instanceof PassingStream) || headers.truncated) return streamFault(promisedId, 'REFUSED_STREAM', 'nobody wants it')
    to.promise(frame, stream.clientId, headers.fields)
    this.#pair.pass(promisedId, promisedId)
    return undefined
  }

  #ends(side: Side) {
    return side === this.#pair.client ? this.#pair.clientEnds : this.#pair.upstreamEnds
  }
}

function onIdle({type, streamId}: {readonly type: string; readonly streamId: number}): Fault {
  return connectionFault('PROTOCOL_ERROR', `${type} came for stream ${streamId}, which nobody opened`)
}
