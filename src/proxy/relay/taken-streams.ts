// The ends of calls that somebody took, on one side. Their windows are ours: what the peer may send at first is what the other peer's SETTINGS say.
import {errorCodes, type Fault} from '../../http2/fault.ts'
import {initialWindow, ReceiveWindow, SendWindow} from '../../http2/flow-window.ts'
import {type DataFrame, flowLength} from '../../http2/frame.ts'
import type {HeaderField} from '../../http2/header-field.ts'
import {Stream, type StreamHost} from '../../http2/stream.ts'
import type {Side} from './side.ts'
import {Unread} from './unread.ts'

export class TakenStreams {
  readonly #side: Side
  readonly #other: Side
  readonly #host: StreamHost
  readonly #unread = new Unread()
  #size = 0

  constructor(side: Side, other: Side, closed: (stream: Stream) => void) {
    this.#side = side
    this.#other = other
    this.#host = {
      sendHeaders: (stream, fields, endStream) => {
        side.headers(stream.id, fields, endStream)
        if (endStream) sentEnd(side, stream)
      },
      ready: (stream) => side.scheduler.ready(stream),
      taken: (stream, bytes) => {
        side.release(this.#unread.taken(stream, bytes))
        if (stream.wantsData) side.grant(stream.id, stream.receiveWindow.release(bytes))
      },
      sendReset: (stream, code) => {
        side.recentlyReset.add(stream.id)
        side.reset(stream.id, code)
      },
      closed: (stream) => {
        side.streams.delete(stream.id)
        this.#size--
        side.scheduler.forget(stream)
        side.release(this.#unread.closed(stream))
        closed(stream)
      },
    }
  }

  /** Those that are open. */
  get size(): number {
    return this.#size
  }

  open(id: number, request?: readonly HeaderField[]): Stream {
    const first = this.#other.said.inForce.initialWindowSize
    const stream = new Stream({
      id,
      host: this.#host,
      sendWindow: new SendWindow(this.#side.said.inForce.initialWindowSize),
      receiveWindow: new ReceiveWindow(first),
      ...(request && {request}),
    })
    this.#side.streams.set(id, stream)
    this.#size++
    return stream
  }

  /** A peer that lets others send a little at a time does so for itself, not for us. */
  widen(stream: Stream): void {
    const more = initialWindow - this.#other.said.inForce.initialWindowSize
    if (more <= 0) return
    stream.receiveWindow.widen(more)
    this.#side.grant(stream.id, more)
  }

  data(stream: Stream, frame: DataFrame): Fault | undefined {
    const length = flowLength(frame)
    this.#side.release(this.#unread.received(stream, length))
    return stream.receiveData(frame, length)
  }

  /** The peer of this side acknowledged what the other says of windows: streams that were opened before that are widened anew. */
  resize(before: number, after: number): void {
    const more = Math.max(0, Math.max(0, initialWindow - after) - Math.max(0, initialWindow - before))
    for (const stream of this.#all()) {
      const increment = stream.receiveWindow.resize(after)
      if (!stream.wantsData) continue
      stream.receiveWindow.widen(more)
      this.#side.grant(stream.id, increment + more)
    }
  }

  /** What this peer says of windows was acknowledged. */
  adjust(change: number): void {
    for (const stream of [...this.#all()]) if (!stream.sendWindow.add(change)) stream.reset(errorCodes.FLOW_CONTROL_ERROR)
    if (change > 0) this.#side.scheduler.resume(this.#all())
  }

  *#all(): Generator<Stream> {
    for (const stream of this.#side.streams.values()) if (stream instanceof Stream) yield stream
  }
}

/** A server that has answered needs no more of the request (RFC 9113, 8.1), as grpc-go does it. */
export function sentEnd(side: Side, stream: Stream): void {
  stream.sentEnd()
  if (side.peer === 'client') stream.reset(errorCodes.NO_ERROR)
}
