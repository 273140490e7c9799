// A call that nobody took: its frames pass as they are, under the other side's number. What is wrong with them the other peer will say.
import {errorCodes} from '../../http2/fault.ts'
import {type DataFrame, flowLength, frameHeaderBytes, type Priority} from '../../http2/frame.ts'
import type {HeaderField} from '../../http2/header-field.ts'
import {dataFrameHeader} from '../../http2/write-frame.ts'
import {Lane, type LaneEnding, type LaneOwner} from './lane.ts'
import type {Side} from './side.ts'
import type {WatchedCall} from './watched-call.ts'

/** What the streams of a pair of connections share. */
export interface PassingHost {
  readonly client: Side
  readonly upstream: Side
  /** Both peers have ended it, or one has reset it. What they still say of it passes. */
  readonly over: (stream: PassingStream) => void
}

/** There are many, and those that are over are kept for a while, so each is one small object as long as nothing has to wait. */
export class PassingStream implements LaneOwner {
  readonly clientId: number
  readonly upstreamId: number
  readonly watched: WatchedCall | undefined
  readonly #host: PassingHost
  #up: Lane | undefined
  #down: Lane | undefined
  /** END_STREAM is with the server, with the client. */
  #upEnded: boolean
  #downEnded = false
  /** The server's RST_STREAM behind the end of its answer, which has to arrive first. */
  #resetBehindEnd: number | undefined
  #over: boolean

  /** Without `open` it is one that is over. */
  constructor(host: PassingHost, clientId: number, upstreamId: number, open?: {readonly watched: WatchedCall | undefined}) {
    this.#host = host
    this.clientId = clientId
    this.upstreamId = upstreamId
    this.watched = open?.watched
    this.#over = open === undefined
    // What a server promises has no request to come.
    this.#upEnded = upstreamId % 2 === 0
  }

  get isOver(): boolean {
    return this.#over
  }

  idAt(side: Side): number {
    return side === this.#host.client ? this.clientId : this.upstreamId
  }

  /** Something waits to go there. */
  waitsFor(side: Side): boolean {
    const lane = this.#laneTo(side)
    return lane !== undefined && !lane.outbox.isEmpty
  }

  /** @param raw the frame's bytes */
  data(to: Side, frame: DataFrame, raw: Buffer): void {
    const {data, endStream} = frame
    if (to === this.#host.upstream) this.watched?.requestData(data)
    else this.watched?.responseData(data, endStream)
    const length = flowLength(frame)
    const from = this.#other(to)
    if (to.closing) {
      from.release(length)
    } else if (!this.waitsFor(to) && !to.output.full && to.scheduler.window.available >= length) {
      to.scheduler.window.use(length)
      writeData(to, this.idAt(to), frame, raw)
      from.release(length)
      if (endStream) this.#end(to)
    } else if (this.#over || this.#laneTo(to)?.outbox.ends) {
      from.release(length)
    } else {
      this.#queue(to, frame, length)
    }
  }

  headers(to: Side, fields: readonly HeaderField[], endStream: boolean, priority?: Priority): void {
    if (to === this.#host.client) this.watched?.responseHeaders(fields, endStream)
    const outbox = this.#laneTo(to)?.outbox
    if (to.closing || outbox?.ends) return
    if (endStream && outbox?.hasBytes) {
      outbox.end({kind: 'trailers', fields})
      return
    }
    to.headers(this.idAt(to), fields, endStream, priority)
    if (endStream) this.#end(to)
  }

  /** RST_STREAM of the peer that is not `to`. */
  reset(to: Side, code: number): void {
    this.watched?.ended({kind: 'reset', by: to.peer === 'client' ? 'server' : 'client', code})
    const outbox = this.#down?.outbox
    // What a server said before is to be read, as far as the client has room for it.
    if (to.peer === 'server' || !outbox || outbox.isEmpty || (!outbox.ends && to.scheduler.window.available <= 0)) {
      to.reset(this.idAt(to), code)
      this.#finish()
      return
    }
    this.dropTo(this.#host.upstream)
    if (outbox.ends) this.#resetBehindEnd = code
    else outbox.end({kind: 'reset', code})
  }

  /** The server has not begun with it and never will. @param says whether the client must be told */
  refuse(says: boolean): void {
    this.watched?.ended({kind: 'reset', by: 'server', code: errorCodes.REFUSED_STREAM})
    if (says) this.#host.client.reset(this.clientId, errorCodes.REFUSED_STREAM)
    this.#finish()
  }

  /** By us, both ends. */
  abort(code: number): void {
    const {client, upstream} = this.#host
    this.watched?.ended({kind: 'reset', by: 'proxy', code})
    client.reset(this.clientId, code)
    upstream.reset(this.upstreamId, errorCodes.CANCEL)
    this.#finish()
  }

  /** What waits for that side never goes. */
  dropTo(side: Side): void {
    const lane = this.#laneTo(side)
    if (!lane) return
    side.scheduler.forget(lane)
    const bytes = lane.outbox.drop()
    if (bytes > 0) this.#other(side).release(bytes)
  }

  /** The lane's: bytes that waited were handed on. */
  wrote(lane: Lane, bytes: number, last: boolean): void {
    const to = this.#whereTo(lane)
    this.#other(to).release(bytes)
    if (last) this.#end(to)
  }

  /** The lane's: nothing waits before it. */
  writeEnding(lane: Lane, ending: LaneEnding): void {
    const to = this.#whereTo(lane)
    if (ending.kind === 'reset') {
      to.reset(lane.id, ending.code)
      this.#finish()
      return
    }
    if (ending.kind === 'end') to.data(dataFrameHeader(lane.id, 0, true))
    else to.headers(lane.id, ending.fields, true)
    this.#end(to)
  }

  #queue(to: Side, {data, endStream}: DataFrame, length: number): void {
    const padding = length - data.length
    if (padding > 0) {
      // It goes no further, so its room in both windows is given back here.
      const from = this.#other(to)
      from.release(padding)
      if (!endStream) from.grant(this.idAt(from), padding)
    }
    const lane = this.#laneTo(to) ?? this.#openLane(to)
    lane.outbox.add(data)
    if (endStream) lane.outbox.end({kind: 'end'})
    to.scheduler.ready(lane)
  }

  #other(side: Side): Side {
    return side === this.#host.client ? this.#host.upstream : this.#host.client
  }

  #laneTo(side: Side): Lane | undefined {
    return side === this.#host.client ? this.#down : this.#up
  }

  #whereTo(lane: Lane): Side {
    return lane === this.#up ? this.#host.upstream : this.#host.client
  }

  #openLane(to: Side): Lane {
    const lane = new Lane(this.idAt(to), this)
    if (to === this.#host.client) this.#down = lane
    else this.#up = lane
    return lane
  }

  #end(to: Side): void {
    if (to === this.#host.upstream) this.#upEnded = true
    else {
      this.#downEnded = true
      if (this.#resetBehindEnd !== undefined) {
        to.reset(this.clientId, this.#resetBehindEnd)
        this.#finish()
      }
    }
    if (this.#upEnded && this.#downEnded) this.#finish()
  }

  #finish(): void {
    this.dropTo(this.#host.upstream)
    this.dropTo(this.#host.client)
    if (this.#over) return
    this.#over = true
    this.#host.over(this)
  }
}

/** Not in place where the number differs: the bytes may be somebody else's. */
function writeData(to: Side, streamId: number, {streamId: own}: DataFrame, raw: Buffer): void {
  if (own === streamId) {
    to.data(raw)
    return
  }
  const header = Buffer.from(raw.subarray(0, frameHeaderBytes))
  header.writeUInt32BE(streamId, 5)
  to.data(header)
  if (raw.length > frameHeaderBytes) to.write(raw.subarray(frameHeaderBytes))
}
