// One stream of a connection: what came of it, what is to go, and which of both is over.
import {checkResponse, checkTrailers, contentLength} from './check-fields.ts'
import {errorCodes, type Fault, streamFault} from './fault.ts'
import {type ReceiveWindow, type SendWindow, sentTooMuch} from './flow-window.ts'
import type {DataFrame} from './frame.ts'
import {fieldValue, type HeaderField} from './header-field.ts'
import {Inbox} from './inbox.ts'
import {type Ending, Outbox} from './outbox.ts'
import {StreamFailure} from './stream-failure.ts'
import {mayReceive, maySend, nextState, type StreamEvent, type StreamState} from './stream-state.ts'

/** What a stream needs of its connection. */
export interface StreamHost {
  readonly sendHeaders: (stream: Stream, fields: readonly HeaderField[], endStream: boolean) => void
  /** It has something to send. */
  readonly ready: (stream: Stream) => void
  readonly taken: (stream: Stream, bytes: number) => void
  readonly sendReset: (stream: Stream, code: number) => void
  readonly closed: (stream: Stream) => void
}

export interface StreamOptions {
  readonly id: number
  readonly host: StreamHost
  readonly sendWindow: SendWindow
  readonly receiveWindow: ReceiveWindow
  /** Of a request that came; without them this is a stream of ours, which waits for its response. */
  readonly request?: readonly HeaderField[]
}

export class Stream implements AsyncIterable<Uint8Array> {
  readonly id: number
  readonly sendWindow: SendWindow
  readonly receiveWindow: ReceiveWindow
  readonly outbox = new Outbox()
  readonly #host: StreamHost
  readonly #inbox: Inbox
  readonly #response = Promise.withResolvers<readonly HeaderField[]>()
  #state: StreamState = 'open'
  readonly #isOurs: boolean
  #awaitsResponse: boolean
  #expected: number | undefined
  #received = 0
  #trailers: readonly HeaderField[] | undefined
  #failure: StreamFailure | undefined
  #controller: AbortController | undefined

  constructor({id, host, sendWindow, receiveWindow, request}: StreamOptions) {
    this.id = id
    this.sendWindow = sendWindow
    this.receiveWindow = receiveWindow
    this.#host = host
    this.#inbox = new Inbox((bytes) => host.taken(this, bytes))
    this.#isOurs = request === undefined
    this.#awaitsResponse = this.#isOurs
    this.#expected = request && contentLength(request)
    this.#response.promise.catch(() => undefined)
  }

  get state(): StreamState {
    return this.#state
  }

  /** The peer may send more of the body. */
  get wantsData(): boolean {
    return mayReceive(this.#state)
  }

  get failure(): StreamFailure | undefined {
    return this.#failure
  }

  /** The peer's, once its body was read to the end and if it sent any. */
  get trailers(): readonly HeaderField[] | undefined {
    return this.#trailers
  }

  /** Of a stream that we opened: the fields of the final response. @throws StreamFailure */
  get response(): Promise<readonly HeaderField[]> {
    return this.#response.promise
  }

  /** Aborted with the StreamFailure when the stream fails, never when it ends well. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#failure && !this.#controller.signal.aborted) this.#controller.abort(this.#failure)
    return this.#controller.signal
  }

  /** The next piece of the body, undefined at its end. @throws StreamFailure */
  read(): Promise<Uint8Array | undefined> {
    return this.#inbox.read()
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array, undefined> {
    return {
      next: () => this.read().then((value) => (value === undefined ? {done: true, value} : {done: false, value})),
      return: async () => {
        this.discard()
        return {done: true, value: undefined}
      },
    }
  }

  /** What comes of the body from here on is thrown away. */
  discard(): void {
    this.#inbox.discard()
  }

  /** A response, its headers or all of it; 1xx may come before. Nothing happens when the stream is over. */
  sendHeaders(fields: readonly HeaderField[], {endStream = false} = {}): void {
    if (!maySend(this.#state)) return
    this.#host.sendHeaders(this, fields, endStream)
  }

  /** Resolves when all of it was handed to the socket; who waits for that never holds more than one piece. @throws StreamFailure */
  write(bytes: Uint8Array): Promise<void> {
    const sent = this.outbox.add(bytes)
    this.#host.ready(this)
    return sent
  }

  end(trailers?: readonly HeaderField[]): void {
    const ending: Ending = trailers ? {trailers} : {}
    this.outbox.end(ending)
    this.#host.ready(this)
  }

  reset(code: number = errorCodes.CANCEL): void {
    if (this.#state === 'closed') return
    this.#host.sendReset(this, code)
    this.fail(new StreamFailure({code, by: 'us'}))
  }

  /** The connection's: END_STREAM is on its way. */
  sentEnd(): void {
    this.#move('sent-end')
  }

  fail(failure: StreamFailure): void {
    if (this.#state === 'closed') return
    this.#failure = failure
    this.#inbox.fail(failure)
    this.outbox.fail(failure)
    this.#response.reject(failure)
    this.#move('reset')
    this.#controller?.abort(failure)
  }

  /** RST_STREAM came. */
  peerReset(code: number): void {
    // All of the answer is here, and the rest of the request is not wanted (RFC 9113, 8.1): that spoils nothing.
    // A client that says so gives up, as node:http2's do by close().
    if (code === errorCodes.NO_ERROR && this.#state === 'half-closed-remote' && this.#isOurs) {
      this.outbox.fail(new StreamFailure({code, by: 'peer'}))
      this.#move('reset')
      return
    }
    this.fail(new StreamFailure({code, by: 'peer'}))
  }

  receiveHeaders(fields: readonly HeaderField[], endStream: boolean): Fault | undefined {
    if (!mayReceive(this.#state)) return this.#fault('STREAM_CLOSED', 'HEADERS came behind the end')
    if (this.#awaitsResponse) return this.#receiveResponse(fields, endStream)
    if (!endStream) return this.#fault('PROTOCOL_ERROR', 'trailers do not end the stream')
    const malformed = checkTrailers(fields)
    if (malformed) return this.#fault('PROTOCOL_ERROR', malformed)
    this.#trailers = fields
    return this.receivedEnd()
  }

  receiveData(frame: DataFrame, length: number): Fault | undefined {
    const fault = this.#refusal(frame, length)
    const {data, endStream} = frame
    // What nobody will take is room again.
    this.#host.taken(this, fault ? length : length - data.length)
    if (fault) return fault
    this.#received += data.length
    this.#inbox.push(data)
    return endStream ? this.receivedEnd() : undefined
  }

  #refusal({data}: DataFrame, length: number): Fault | undefined {
    if (!mayReceive(this.#state)) return this.#fault('STREAM_CLOSED', 'DATA came behind the end')
    if (this.#awaitsResponse) return this.#fault('PROTOCOL_ERROR', 'DATA came before the response')
    if (!this.receiveWindow.receive(length)) return sentTooMuch(this.id)
    if (this.#expected !== undefined && this.#received + data.length > this.#expected)
      return this.#fault('PROTOCOL_ERROR', 'there is more data than content-length says')
    return undefined
  }

  receivedEnd(): Fault | undefined {
    if (this.#expected !== undefined && this.#received !== this.#expected)
      return this.#fault('PROTOCOL_ERROR', 'there is less data than content-length says')
    this.#inbox.end()
    this.#move('received-end')
    return undefined
  }

  #receiveResponse(fields: readonly HeaderField[], endStream: boolean): Fault | undefined {
    const malformed = checkResponse(fields)
    if (malformed) return this.#fault('PROTOCOL_ERROR', malformed)
    if (fieldValue(fields, ':status')?.startsWith('1'))
      return endStream ? this.#fault('PROTOCOL_ERROR', 'an interim response ends the stream') : undefined
    this.#awaitsResponse = false
    this.#response.resolve(fields)
    return endStream ? this.receivedEnd() : undefined
  }

  #fault(code: Parameters<typeof streamFault>[1], reason: string): Fault {
    return streamFault(this.id, code, reason)
  }

  #move(event: StreamEvent): void {
    const before = this.#state
    this.#state = nextState(before, event)
    if (this.#state === 'closed' && before !== 'closed') this.#host.closed(this)
  }
}
