// The client's end of a call that was taken: what it is answered, and that it may leave at any time.
import {errorCodes} from '../../http2/fault.ts'
import {fieldValue, type HeaderField} from '../../http2/header-field.ts'
import type {ServerStream} from '../../http2/server-connection.ts'
import {StreamFailure} from '../../http2/stream-failure.ts'
import {codeOfReset} from './answer/failure-code.ts'
import {codeOfHttp, type GrpcStatus, statusFields, statusIn, trailersOnly} from './message/status-fields.ts'
import type {CallRecord} from './trace/call-record.ts'

export class ClientSide {
  /** It has given up or is gone; never once it has its answer. */
  readonly left: Promise<void>
  readonly #stream: ServerStream
  readonly #record: CallRecord
  readonly #breakConnection: () => void
  #first: readonly HeaderField[] = []
  #hasLeft = false
  /** It has its answer or has left. */
  #isOver = false

  constructor(stream: ServerStream, record: CallRecord, breakConnection: () => void) {
    this.#stream = stream
    this.#record = record
    this.#breakConnection = breakConnection
    const {promise, resolve} = Promise.withResolvers<void>()
    this.left = promise
    const leave = () => {
      if (this.#isOver) return
      this.#isOver = true
      this.#hasLeft = true
      if (stream.failure?.by === 'connection') record.clientDone('UNAVAILABLE')
      else record.clientLeft()
      resolve()
    }
    if (stream.failure !== undefined) leave()
    else stream.signal.addEventListener('abort', leave, {once: true})
  }

  get hasLeft(): boolean {
    return this.#hasLeft
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** Ends what waits for a client that has left. */
  get signal(): AbortSignal {
    return this.#stream.signal
  }

  get resetCode(): number {
    return this.#stream.failure?.by === 'peer' ? this.#stream.failure.code : errorCodes.CANCEL
  }

  headers(fields: readonly HeaderField[]): void {
    this.#first = fields
    this.#record.responseHeaders(fields)
    this.#stream.sendHeaders(fields)
  }

  /** Resolves when the bytes are on their way. @throws StreamFailure when it has left */
  write(bytes: Uint8Array): Promise<void> {
    this.#record.responseData(bytes)
    return this.#stream.write(bytes)
  }

  /** What comes last is the server's own answer. */
  hearsServer(): void {
    this.#record.heard = true
  }

  end(trailers: readonly HeaderField[] | undefined): void {
    this.#isOver = true
    this.#stream.end(trailers)
    this.#tell(trailers ?? [])
  }

  /** An answer of these fields and nothing else. */
  only(fields: readonly HeaderField[]): void {
    this.#first = fields
    this.#isOver = true
    this.#stream.sendHeaders(fields, {endStream: true})
    this.#tell(fields)
  }

  /** Behind what it has got already. @param request the fields of its request */
  fail(request: readonly HeaderField[], status: Pick<GrpcStatus, 'code' | 'message'>): void {
    if (this.#first.length === 0) this.only(trailersOnly(status, request))
    else this.end(statusFields(status))
  }

  reset(code: number): void {
    this.#isOver = true
    this.#stream.reset(code)
    this.#record.clientDone(codeOfReset(code))
  }

  breakConnection(): void {
    this.#isOver = true
    this.#breakConnection()
    this.#record.clientDone('UNAVAILABLE')
  }

  /** As the client would have seen it without us. */
  failedUpstream(error: unknown): void {
    if (this.#isOver) return
    if (!(error instanceof StreamFailure)) this.reset(errorCodes.INTERNAL_ERROR)
    else if (error.unprocessed) this.reset(errorCodes.REFUSED_STREAM)
    // The relay ends the client's connection, too, once all that the server said before is with the client.
    else if (error.by !== 'connection') this.reset(error.code)
  }

  #tell(last: readonly HeaderField[]): void {
    const {code, message} = statusIn(last) ?? {code: codeOfHttp(fieldValue(this.#first, ':status')), message: ''}
    this.#record.clientDone(code, message)
  }
}
