// What is to be sent of a stream's body and waits for the windows and the socket.
import type {HeaderField} from './header-field.ts'

export interface Ending {
  readonly trailers?: readonly HeaderField[]
}

export interface Portion {
  readonly bytes: Uint8Array
  /** Nothing comes after it, no trailers either. */
  readonly last: boolean
}

export class Outbox {
  #pieces: {readonly bytes: Uint8Array; readonly sent: PromiseWithResolvers<void>}[] = []
  /** Of the first piece, what was sent already. */
  #offset = 0
  #ending: Ending | undefined
  #closed: Error | true | undefined

  get hasBytes(): boolean {
    return this.#pieces.length > 0
  }

  /** Neither bytes nor an end are to go. */
  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#ending === undefined
  }

  /** Settles when the last byte was handed to the socket, or never will be. */
  add(bytes: Uint8Array): Promise<void> {
    if (this.#closed instanceof Error) return rejected(this.#closed)
    if (this.#closed) return rejected(new Error('Cannot write to a stream that was ended'))
    if (bytes.length === 0) return Promise.resolve()
    const sent = Promise.withResolvers<void>()
    // Whoever does not wait is not to end the process.
    sent.promise.catch(() => undefined)
    this.#pieces.push({bytes, sent})
    return sent.promise
  }

  end(ending: Ending): void {
    if (this.#closed) return
    this.#closed = true
    this.#ending = ending
  }

  take(most: number): Portion {
    const [piece] = this.#pieces
    if (!piece) return {bytes: new Uint8Array(0), last: false}
    const bytes = piece.bytes.subarray(this.#offset, this.#offset + most)
    this.#offset += bytes.length
    if (this.#offset === piece.bytes.length) {
      this.#offset = 0
      this.#pieces.shift()
      piece.sent.resolve()
    }
    const last = this.#pieces.length === 0 && this.#ending !== undefined && this.#ending.trailers === undefined
    if (last) this.#ending = undefined
    return {bytes, last}
  }

  /** Once, and only when nothing is before it. */
  takeEnding(): Ending | undefined {
    if (this.#pieces.length > 0) return undefined
    const ending = this.#ending
    this.#ending = undefined
    return ending
  }

  fail(error: Error): void {
    this.#closed = error
    this.#ending = undefined
    for (const {sent} of this.#pieces.splice(0)) sent.reject(error)
  }
}

function rejected(error: Error): Promise<never> {
  const promise = Promise.reject(error)
  promise.catch(() => undefined)
  return promise
}
