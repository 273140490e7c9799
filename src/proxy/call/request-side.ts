// What a client sends of a call that was taken: read as far as a rule must see it, then passed on, what was read first.
import {mostBytes} from '../../faults/whole-messages.ts'
import type {ClientStream} from '../../http2/client-connection.ts'
import {errorCodes} from '../../http2/fault.ts'
import type {ServerStream} from '../../http2/server-connection.ts'
import {type FramedMessage, MessageSplitter} from './message/message-splitter.ts'
import {tooLarge} from './message/plain-bytes.ts'
import {Unreadable} from './message/unreadable.ts'
import type {CallRecord} from './trace/call-record.ts'

export class RequestSide {
  readonly #stream: ServerStream
  readonly #record: CallRecord
  readonly #splitter = new MessageSplitter()
  #read: Uint8Array[] = []
  #bytes = 0
  #ended = false
  #message: FramedMessage | undefined

  constructor(stream: ServerStream, record: CallRecord) {
    this.#stream = stream
    this.#record = record
  }

  /** The first message. @throws Unreadable when there is none or it is too large, StreamFailure when the client leaves */
  async message(): Promise<FramedMessage> {
    for (;;) {
      this.#message ??= this.#splitter.next()
      if (this.#message !== undefined) return this.#message
      if ((this.#splitter.announced ?? 0) > mostBytes) throw new Unreadable(tooLarge)
      if (this.#ended) throw new Unreadable('it has no message')
      const piece = await this.#more()
      if (piece !== undefined) this.#splitter.push(piece)
    }
  }

  /** Reads to the end, so that it can be sent twice. @throws Unreadable when it is too large, StreamFailure when the client leaves */
  async whole(): Promise<void> {
    while (!this.#ended) {
      if (this.#bytes > mostBytes) throw new Unreadable(tooLarge)
      await this.#more()
    }
  }

  /** In place of all that was read so far: of the message, when message() has given it. */
  replaceRead(bytes: Uint8Array): void {
    this.#read = [bytes, this.#splitter.rest()]
  }

  /** All of it, then its end. Never throws: what becomes of the call, the answer tells. */
  async sendTo(upstreams: readonly ClientStream[]): Promise<void> {
    const send = (bytes: Uint8Array) => Promise.all(upstreams.map((each) => each.write(bytes).catch(() => undefined)))
    try {
      for (const piece of this.#read) await send(piece)
      this.#read = []
      while (!this.#ended) {
        const piece = await this.#more()
        this.#read = []
        if (piece !== undefined) await send(piece)
      }
      for (const each of upstreams) each.end(this.#stream.trailers)
    } catch {
      // Half a request does nobody any good, whatever the plan is. Who has answered already has ended it.
      for (const each of upstreams) each.reset(errorCodes.CANCEL)
    }
  }

  /** It goes nowhere. */
  async drain(): Promise<void> {
    try {
      while (!this.#ended) {
        await this.#more()
        this.#read = []
      }
    } catch {
      // The client has left.
    }
  }

  async #more(): Promise<Uint8Array | undefined> {
    const piece = await this.#stream.read()
    if (piece === undefined) this.#ended = true
    else {
      this.#read.push(piece)
      this.#bytes += piece.length
      this.#record.requestData(piece)
    }
    return piece
  }
}
