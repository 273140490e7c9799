// The server's answer to a call that was taken, as it comes.
import type {ClientStream} from '../../../http2/client-connection.ts'
import {fieldValue, type HeaderField} from '../../../http2/header-field.ts'
import type {StreamFailure} from '../../../http2/stream-failure.ts'
import type {Capture} from '../message/capture.ts'
import {codeOfHttp, type GrpcStatus, statusIn} from '../message/status-fields.ts'
import {codeOfFailure} from './failure-code.ts'

/** An answer, whoever gives it: the server, or what was kept of it. */
export interface AnswerSource {
  /** @throws StreamFailure */
  readonly fields: Promise<readonly HeaderField[]>
  /** All of it is here, when the fields are: it may be trailers-only. */
  readonly atEnd: boolean
  /** It is not what the server answers to this call. */
  readonly madeUp?: true
  /** The next piece of the body, undefined at its end. @throws StreamFailure */
  read(): Promise<Uint8Array | undefined>
  /** Once the body was read to its end, if there are any. */
  readonly trailers: readonly HeaderField[] | undefined
}

export interface AnswerEnd extends Pick<GrpcStatus, 'code' | 'message'> {
  /** Nobody knows what the server would have said: we ended it. */
  readonly byUs: boolean
}

export interface AnswerOptions {
  readonly stream: ClientStream
  /** Called once, before whoever reads hears of it. */
  readonly onEnd: (end: AnswerEnd) => void
  /** Gets a copy, for its names. */
  readonly capture?: Capture | undefined
}

export class Answer implements AnswerSource {
  readonly fields: Promise<readonly HeaderField[]>
  readonly #options: AnswerOptions
  #first: readonly HeaderField[] = []
  #end: AnswerEnd | undefined

  constructor(options: AnswerOptions) {
    this.#options = options
    this.fields = options.stream.response.then(
      (fields) => {
        this.#first = fields
        options.capture?.headers(fields)
        return fields
      },
      (error) => this.#failed(error),
    )
    this.fields.catch(() => undefined)
  }

  get atEnd(): boolean {
    const {state} = this.#options.stream
    return state === 'half-closed-remote' || state === 'closed'
  }

  get trailers(): readonly HeaderField[] | undefined {
    return this.#options.stream.trailers
  }

  /** Why it never came to an end: the connection did. */
  get lost(): StreamFailure | undefined {
    const {failure} = this.#options.stream
    return failure?.by === 'connection' ? failure : undefined
  }

  async read(): Promise<Uint8Array | undefined> {
    const {stream, capture} = this.#options
    const piece = await stream.read().catch((error) => this.#failed(error))
    if (piece === undefined) this.#finish(endOf(this.#first, stream.trailers))
    else capture?.push(piece)
    return piece
  }

  /** Reads all that is left and throws it away. */
  async drain(): Promise<AnswerEnd> {
    try {
      await this.fields
      while ((await this.read()) !== undefined);
    } catch {
      // That is an end, too.
    }
    return this.#end ?? {code: 'UNKNOWN', message: '', byUs: false}
  }

  reset(code: number): void {
    this.#options.stream.reset(code)
  }

  #failed(error: unknown): never {
    this.#finish({...codeOfFailure(error), message: ''})
    throw error
  }

  #finish(end: AnswerEnd): void {
    if (this.#end !== undefined) return
    this.#end = end
    this.#options.onEnd(end)
  }
}

function endOf(first: readonly HeaderField[], trailers: readonly HeaderField[] | undefined): AnswerEnd {
  const status = statusIn(trailers ?? first) ?? {code: codeOfHttp(fieldValue(first, ':status')), message: ''}
  return {...status, byUs: false}
}
