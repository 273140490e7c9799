// One direction of a stream that passes: what cannot go on at once waits here for the receiver's connection window and its socket.
// The stream's own window is no concern of ours, as its two peers keep it between them.
import type {HeaderField} from '../../http2/header-field.ts'
import type {Portion} from '../../http2/outbox.ts'

export type LaneEnding =
  | {readonly kind: 'end'}
  | {readonly kind: 'trailers'; readonly fields: readonly HeaderField[]}
  | {readonly kind: 'reset'; readonly code: number}

/** Frames of a byte each must not cost a hundred for each. */
const mostPieces = 4096

class LaneQueue {
  #pieces: Uint8Array[] = []
  /** Of the first piece, what was sent already. */
  #offset = 0
  #bytes = 0
  #ending: LaneEnding | undefined

  get hasBytes(): boolean {
    return this.#pieces.length > 0
  }

  get isEmpty(): boolean {
    return this.#pieces.length === 0 && this.#ending === undefined
  }

  get ends(): boolean {
    return this.#ending !== undefined
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#pieces.push(bytes)
    this.#bytes += bytes.length
    if (this.#pieces.length < mostPieces) return
    this.#pieces = [Buffer.concat(this.#pieces).subarray(this.#offset)]
    this.#offset = 0
  }

  end(ending: LaneEnding): void {
    this.#ending = ending
  }

  take(most: number): Portion {
    const [piece = new Uint8Array(0)] = this.#pieces
    const bytes = piece.subarray(this.#offset, this.#offset + most)
    this.#offset += bytes.length
    this.#bytes -= bytes.length
    if (this.#offset === piece.length) {
      this.#offset = 0
      this.#pieces.shift()
    }
    const last = this.#pieces.length === 0 && this.#ending?.kind === 'end'
    if (last) this.#ending = undefined
    return {bytes, last}
  }

  takeEnding(): LaneEnding | undefined {
    if (this.#pieces.length > 0) return undefined
    const ending = this.#ending
    this.#ending = undefined
    return ending
  }

  /** How many bytes will not go any more. */
  drop(): number {
    const bytes = this.#bytes
    this.#pieces = []
    this.#offset = 0
    this.#bytes = 0
    this.#ending = undefined
    return bytes
  }
}

const endToEnd = {available: Number.POSITIVE_INFINITY, use: () => undefined}

export interface LaneOwner {
  /** Bytes that waited were handed on. */
  wrote(lane: Lane, bytes: number, last: boolean): void
  /** Nothing waits before it. */
  writeEnding(lane: Lane, ending: LaneEnding): void
}

export class Lane {
  /** Of the stream, where it leads. */
  readonly id: number
  readonly outbox = new LaneQueue()
  readonly sendWindow = endToEnd
  readonly #owner: LaneOwner

  constructor(id: number, owner: LaneOwner) {
    this.id = id
    this.#owner = owner
  }

  wrote(bytes: number, last: boolean): void {
    this.#owner.wrote(this, bytes, last)
  }

  writeEnding(ending: LaneEnding): void {
    this.#owner.writeEnding(this, ending)
  }
}
