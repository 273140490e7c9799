// One of the two connections: what comes of it is read here, and what goes to it is written here. Its connection windows are ours, hop by hop.
import type {Duplex} from 'node:stream'
import {DataScheduler} from '../../http2/data-scheduler.ts'
import {initialWindow, ReceiveWindow} from '../../http2/flow-window.ts'
import type {Frame, Priority, PushPromiseFrame} from '../../http2/frame.ts'
import {FrameReader} from '../../http2/frame-reader.ts'
import {HeaderBlocks} from '../../http2/header-blocks.ts'
import type {HeaderField} from '../../http2/header-field.ts'
import {HpackDecoder} from '../../http2/hpack-decoder.ts'
import {HpackEncoder} from '../../http2/hpack-encoder.ts'
import {Output} from '../../http2/output.ts'
import {RecentIds} from '../../http2/recent-ids.ts'
import {Stream} from '../../http2/stream.ts'
import {dataFrameHeader, writeFrame, writeHeaderBlock} from '../../http2/write-frame.ts'
import {Lane} from './lane.ts'
import type {PassingStream} from './passing-stream.ts'
import {SettingsPassed} from './settings-passed.ts'

/** What a peer may send ahead of what the other takes. Larger than the windows of most streams, so that one that is not read leaves room. */
const connectionWindow = 16 * 1024 * 1024

/** Lists that pass are bounded by the peers; this bounds what one of them can make us hold. */
const maxListSize = 4 * 1024 * 1024

/** Larger frames would make other streams wait. */
const largestData = 65_536

export interface SidePort {
  /** The socket has taken something. */
  readonly room: () => void
  /** Of a stream that somebody took: END_STREAM is on its way. */
  readonly sentEnd: (stream: Stream) => void
}

export class Side {
  readonly peer: 'client' | 'server'
  readonly socket: Duplex
  readonly reader = new FrameReader()
  readonly blocks = new HeaderBlocks({maxBytes: maxListSize, maxPieces: 1024})
  readonly decoder = new HpackDecoder({maxListSize})
  readonly output: Output
  readonly scheduler: DataScheduler<Lane | Stream>
  readonly receiveWindow = new ReceiveWindow(connectionWindow)
  readonly said = new SettingsPassed()
  /** Those that pass, also for a while after their end, and our ends of those that somebody took. */
  readonly streams = new Map<number, PassingStream | Stream>()
  /** Of these the peer may not know yet that they are over. */
  readonly recentlyReset = new RecentIds(1000)
  /** Nothing more is read of it. */
  lost = false
  /** Nothing more is written to it. */
  closing = false
  /** All that was written is with the socket. */
  ended = false
  /** HEADERS and DATA that were written. */
  answers = 0
  readonly #encoder = new HpackEncoder()
  /** What must not go before the other peer's first SETTINGS. */
  #heldBack: Uint8Array[] | undefined = []
  #heldBytes = 0
  #greeted = false
  #drained: {readonly waitsForWindow: boolean; readonly act: () => void} | undefined

  constructor(peer: 'client' | 'server', socket: Duplex, {room, sentEnd}: SidePort) {
    this.peer = peer
    this.socket = socket
    this.output = new Output(socket, () => {
      this.scheduler.pump()
      this.#checkDrained()
      room()
    })
    this.scheduler = new DataScheduler({
      full: () => this.output.full,
      maxFrameSize: () => Math.min(this.said.inForce.maxFrameSize, largestData),
      sendData: (sender, bytes, last) => {
        this.data(dataFrameHeader(sender.id, bytes.length, last))
        this.write(bytes)
        if (sender instanceof Lane) sender.wrote(bytes.length, last)
        else if (last) sentEnd(sender)
      },
      sendEnding: (sender, ending) => {
        if (sender instanceof Lane) {
          if ('kind' in ending) sender.writeEnding(ending)
          return
        }
        const trailers = 'trailers' in ending ? ending.trailers : undefined
        if (trailers) this.headers(sender.id, trailers, true)
        else this.data(dataFrameHeader(sender.id, 0, true))
        sentEnd(sender)
      },
    })
  }

  /** Bytes that the peer has not taken, DATA that waits for windows apart. */
  get backlog(): number {
    return this.output.backlog + this.#heldBytes
  }

  /** The other peer's first SETTINGS, behind the preface where it goes to a server. Then our window. */
  greet(...parts: readonly Uint8Array[]): void {
    const heldBack = this.#heldBack ?? []
    this.#heldBack = undefined
    this.#heldBytes = 0
    this.#greeted = true
    for (const bytes of parts) this.write(bytes)
    this.frame({type: 'WINDOW_UPDATE', streamId: 0, increment: connectionWindow - initialWindow})
    for (const bytes of heldBack) this.write(bytes)
  }

  /** For a moment the peer gets nothing but what is urgent. Not before it was greeted. */
  hold(): void {
    this.#heldBack ??= []
  }

  /** Sends what was held. */
  letGo(): void {
    const heldBack = this.#heldBack
    if (!this.#greeted || heldBack === undefined) return
    this.#heldBack = undefined
    this.#heldBytes = 0
    for (const bytes of heldBack) this.write(bytes)
  }

  urgent(frame: Frame): void {
    this.output.write(writeFrame(frame))
  }

  write(bytes: Uint8Array): void {
    if (!this.#heldBack) {
      this.output.write(bytes)
      return
    }
    this.#heldBack.push(bytes)
    this.#heldBytes += bytes.length
  }

  /** A DATA frame, or its beginning. */
  data(bytes: Uint8Array): void {
    this.answers++
    this.write(bytes)
  }

  frame(frame: Frame): void {
    this.write(writeFrame(frame))
  }

  headers(streamId: number, fields: readonly HeaderField[], endStream: boolean, priority?: Priority): void {
    this.answers++
    const block = this.#encoder.encode(fields)
    for (const bytes of writeHeaderBlock(streamId, block, endStream, this.said.inForce.maxFrameSize, priority)) this.write(bytes)
  }

  promise(frame: PushPromiseFrame, streamId: number, fields: readonly HeaderField[]): void {
    const block = this.#encoder.encode(fields)
    const most = this.said.inForce.maxFrameSize - 4
    const endHeaders = block.length <= most
    this.frame({type: 'PUSH_PROMISE', streamId, promisedId: frame.promisedId, endHeaders, fragment: block.subarray(0, most)})
    for (let at = most; at < block.length; at += most) {
      const fragment = block.subarray(at, at + most)
      this.frame({type: 'CONTINUATION', streamId, endHeaders: at + most >= block.length, fragment})
    }
  }

  reset(streamId: number, code: number): void {
    this.frame({type: 'RST_STREAM', streamId, code})
  }

  grant(streamId: number, increment: number): void {
    if (increment > 0) this.frame({type: 'WINDOW_UPDATE', streamId, increment})
  }

  /** Of what this peer sent, so much was handed on or will not be: it may send as much again. */
  release(bytes: number): void {
    this.grant(0, this.receiveWindow.release(bytes))
  }

  /** Ends the writing half once nothing is queued, at once where a window holds it up that is not to be waited for. */
  endWhenDrained(waitsForWindow: boolean, act: () => void): void {
    this.#drained = {waitsForWindow, act}
    this.#checkDrained()
  }

  #checkDrained(): void {
    const drained = this.#drained
    if (!drained) return
    if (!this.#isEmpty() && (drained.waitsForWindow || this.output.full)) return
    this.#drained = undefined
    this.closing = true
    drained.act()
  }

  #isEmpty(): boolean {
    for (const stream of this.streams.values()) {
      if (stream instanceof Stream ? !stream.outbox.isEmpty : stream.waitsFor(this)) return false
    }
    return true
  }
}
