// A call that nobody took: its frames pass as they are, under the other side's number. What is wrong with them the other peer will say.
import {errorCodes} from '../../http2/fault.ts'
import {type DataFrame, flowLength, frameHeaderBytes, type Priority} from '../../http2/frame.ts'
import type {HeaderField} from '../../http2/header-field.ts'
import {dataFrameHeader} from '../../http2/write-frame.ts'
import {Lane, type LaneEnding} from './lane.ts'
import type {Side} from './side.ts'
import type {WatchedCall} from './watched-call.ts'

export interface PassingStreamOptions {
  readonly client: Side
  readonly upstream: Side
  readonly clientId: number
  readonly upstreamId: number
  readonly watched: WatchedCall
  /** Both peers have ended it, or one has reset it. What they still say of it passes. */
  readonly over: (stream: PassingStream) => void
}

export class PassingStream {
  readonly watched: WatchedCall
  readonly #options: PassingStreamOptions
  readonly #up: Lane
  readonly #down: Lane
  /** The lanes that have brought their END_STREAM to the other side. */
  readonly #ended = new Set<Lane>()
  /** The server's RST_STREAM behind the end of its answer, which has to arrive first. */
  #resetBehindEnd: number | undefined
  #over = false

  constructor(options: PassingStreamOptions) {
    this.#options = options
    this.watched = options.watched
    const owner = {
      wrote: (lane: Lane, bytes: number, last: boolean) => {
        this.#from(lane).release(bytes)
        if (last) this.#end(lane)
      },
      writeEnding: (lane: Lane, ending: LaneEnding) => this.#writeEnding(lane, ending),
    }
    this.#up = new Lane(options.upstreamId, owner)
    this.#down = new Lane(options.clientId, owner)
    // What a server promises has no request to come.
    if (options.upstreamId % 2 === 0) this.#ended.add(this.#up)
  }

  get clientId(): number {
    return this.#options.clientId
  }

  get upstreamId(): number {
    return this.#options.upstreamId
  }

  get isOver(): boolean {
    return this.#over
  }

  laneTo(side: Side): Lane {
    return side === this.#options.client ? this.#down : this.#up
  }

  /** @param raw the frame's bytes */
  data(to: Side, frame: DataFrame, raw: Buffer): void {
    const lane = this.laneTo(to)
    const {data, endStream} = frame
    if (lane === this.#up) this.watched.requestData(data)
    else this.watched.responseData(data, endStream)
    const length = flowLength(frame)
    const from = this.#from(lane)
    if (to.closing) {
      from.release(length)
    } else if (lane.outbox.isEmpty && !to.output.full && to.scheduler.window.available >= length) {
      to.scheduler.window.use(length)
      writeData(to, lane.id, frame, raw)
      from.release(length)
      if (endStream) this.#end(lane)
    } else if (this.#over || lane.outbox.ends) {
      from.release(length)
    } else {
      this.#queue(lane, to, frame, length)
    }
  }

  headers(to: Side, fields: readonly HeaderField[], endStream: boolean, priority?: Priority): void {
    const lane = this.laneTo(to)
    if (lane === this.#down) this.watched.responseHeaders(fields, endStream)
    if (to.closing || lane.outbox.ends) return
    if (endStream && !lane.outbox.isEmpty) {
      lane.outbox.end({kind: 'trailers', fields})
      return
    }
    to.headers(lane.id, fields, endStream, priority)
    if (endStream) this.#end(lane)
  }

  /** RST_STREAM of the peer that is not `to`. */
  reset(to: Side, code: number): void {
    const lane = this.laneTo(to)
    this.watched.ended({kind: 'reset', by: to.peer === 'client' ? 'server' : 'client', code})
    // What a server said before is to be read, as far as the client has room for it.
    const inOrder = to.peer === 'client' && !lane.outbox.isEmpty && (lane.outbox.ends || to.scheduler.window.available > 0)
    if (!inOrder) {
      to.reset(lane.id, code)
      this.#finish()
      return
    }
    this.#drop(this.#up)
    if (lane.outbox.ends) this.#resetBehindEnd = code
    else lane.outbox.end({kind: 'reset', code})
  }

  /** The server has not begun with it and never will. @param says whether the client must be told */
  refuse(says: boolean): void {
    this.watched.ended({kind: 'reset', by: 'server', code: errorCodes.REFUSED_STREAM})
    if (says) this.#options.client.reset(this.clientId, errorCodes.REFUSED_STREAM)
    this.#finish()
  }

  /** By us, both ends. */
  abort(code: number): void {
    const {client, upstream} = this.#options
    this.watched.ended({kind: 'reset', by: 'proxy', code})
    client.reset(this.clientId, code)
    upstream.reset(this.upstreamId, errorCodes.CANCEL)
    this.#finish()
  }

  /** What waits for a side that is gone never goes. */
  dropTo(side: Side): void {
    this.#drop(this.laneTo(side))
  }

  #queue(lane: Lane, to: Side, {data, endStream}: DataFrame, length: number): void {
    const padding = length - data.length
    if (padding > 0) {
      // It goes no further, so its room in both windows is given back here.
      const from = this.#from(lane)
      from.release(padding)
      if (!endStream) from.grant(this.laneTo(from).id, padding)
    }
    lane.outbox.add(data)
    if (endStream) lane.outbox.end({kind: 'end'})
    to.scheduler.ready(lane)
  }

  #from(lane: Lane): Side {
    return lane === this.#up ? this.#options.client : this.#options.upstream
  }

  #to(lane: Lane): Side {
    return lane === this.#up ? this.#options.upstream : this.#options.client
  }

  #writeEnding(lane: Lane, ending: LaneEnding): void {
    const to = this.#to(lane)
    if (ending.kind === 'reset') {
      to.reset(lane.id, ending.code)
      this.#finish()
      return
    }
    if (ending.kind === 'end') to.write(dataFrameHeader(lane.id, 0, true))
    else to.headers(lane.id, ending.fields, true)
    this.#end(lane)
  }

  #end(lane: Lane): void {
    this.#ended.add(lane)
    if (lane === this.#down && this.#resetBehindEnd !== undefined) {
      this.#options.client.reset(this.clientId, this.#resetBehindEnd)
      this.#finish()
    }
    if (this.#ended.size === 2) this.#finish()
  }

  #finish(): void {
    this.#drop(this.#up)
    this.#drop(this.#down)
    if (this.#over) return
    this.#over = true
    this.#options.over(this)
  }

  #drop(lane: Lane): void {
    this.#to(lane).scheduler.forget(lane)
    const bytes = lane.outbox.drop()
    if (bytes > 0) this.#from(lane).release(bytes)
  }
}

/** Not in place where the number differs: the bytes may be somebody else's. */
function writeData(to: Side, streamId: number, {streamId: own}: DataFrame, raw: Buffer): void {
  if (own === streamId) {
    to.write(raw)
    return
  }
  const header = Buffer.from(raw.subarray(0, frameHeaderBytes))
  header.writeUInt32BE(streamId, 5)
  to.write(header)
  if (raw.length > frameHeaderBytes) to.write(raw.subarray(frameHeaderBytes))
}
