// The outgoing half of a connection: frames, header blocks, and DATA as far as the windows go.
import type {Duplex} from 'node:stream'
import {DataScheduler} from './data-scheduler.ts'
import type {SendWindow} from './flow-window.ts'
import type {Frame} from './frame.ts'
import type {HeaderField} from './header-field.ts'
import {HpackEncoder} from './hpack-encoder.ts'
import {Output} from './output.ts'
import type {Stream} from './stream.ts'
import {dataFrameHeader, writeFrame, writeHeaderBlock} from './write-frame.ts'

export interface SendingOptions {
  readonly huffman: boolean
  /** Header blocks answer what the peer asked, as a server's do, and count as owed. */
  readonly blocksAreOwed: boolean
  readonly peersMaxFrameSize: () => number
  /** END_STREAM is on its way. */
  readonly sentEnd: (stream: Stream) => void
}

/** Larger frames would make other streams wait. */
const largestData = 65_536

export class Sending {
  readonly output: Output
  readonly #options: SendingOptions
  readonly #encoder: HpackEncoder
  readonly #scheduler: DataScheduler<Stream>

  constructor(socket: Duplex, options: SendingOptions) {
    this.#options = options
    this.#encoder = new HpackEncoder({huffman: options.huffman})
    this.output = new Output(socket, () => this.#scheduler.pump())
    this.#scheduler = new DataScheduler({
      full: () => this.output.full,
      maxFrameSize: () => Math.min(options.peersMaxFrameSize(), largestData),
      sendData: (stream, bytes, last) => {
        this.output.write(dataFrameHeader(stream.id, bytes.length, last))
        this.output.write(bytes)
        if (last) options.sentEnd(stream)
      },
      sendEnding: (stream, {trailers}) => {
        if (trailers) return this.headers(stream, trailers, true)
        this.output.write(dataFrameHeader(stream.id, 0, true))
        options.sentEnd(stream)
      },
    })
  }

  /** The connection's. */
  get window(): SendWindow {
    return this.#scheduler.window
  }

  /** @param owed to the peer, who asked for it */
  frame(frame: Frame, owed = false): void {
    this.output.write(writeFrame(frame), owed)
  }

  headers(stream: Stream, fields: readonly HeaderField[], endStream: boolean): void {
    const {peersMaxFrameSize, blocksAreOwed, sentEnd} = this.#options
    const frames = writeHeaderBlock(stream.id, this.#encoder.encode(fields), endStream, peersMaxFrameSize())
    for (const bytes of frames) this.output.write(bytes, blocksAreOwed)
    if (endStream) sentEnd(stream)
  }

  /** It has something to send, or its window got larger. */
  ready(stream: Stream): void {
    this.#scheduler.ready(stream)
  }

  /** The connection's window got larger, or the windows of all of these. */
  resume(streams: Iterable<Stream> = []): void {
    this.#scheduler.resume(streams)
  }

  forget(stream: Stream): void {
    this.#scheduler.forget(stream)
  }
}
