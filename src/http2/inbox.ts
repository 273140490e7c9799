// What came of a stream's body and was not taken yet.

/** Smaller pieces share a buffer: a peer that sends a byte a frame must not cost a hundred bytes for each. */
const smallPiece = 512
const sharedBytes = 4096

type End = {readonly type: 'open'} | {readonly type: 'ended'} | {readonly type: 'failed'; readonly error: Error}

export class Inbox {
  readonly #taken: (bytes: number) => void
  #pieces: {readonly buffer: Uint8Array; used: number}[] = []
  #first = 0
  #readers: PromiseWithResolvers<Uint8Array | undefined>[] = []
  #end: End = {type: 'open'}
  #discards = false

  /** @param taken is told of all bytes that need no room any more. */
  constructor(taken: (bytes: number) => void) {
    this.#taken = taken
  }

  push(piece: Uint8Array): void {
    if (piece.length === 0) return
    const reader = this.#readers.shift()
    if (reader) reader.resolve(piece)
    if (reader || this.#discards) {
      this.#taken(piece.length)
      return
    }
    const last = this.#pieces.at(-1)
    if (piece.length >= smallPiece) this.#pieces.push({buffer: alone(piece), used: piece.length})
    else if (last && last.used + piece.length <= last.buffer.length) {
      last.buffer.set(piece, last.used)
      last.used += piece.length
    } else {
      const buffer = new Uint8Array(sharedBytes)
      buffer.set(piece)
      this.#pieces.push({buffer, used: piece.length})
    }
  }

  end(): void {
    if (this.#end.type !== 'open') return
    this.#end = {type: 'ended'}
    for (const reader of this.#readers.splice(0)) reader.resolve(undefined)
  }

  /** Drops what was not taken. */
  fail(error: Error): void {
    if (this.#end.type === 'failed') return
    this.#end = {type: 'failed', error}
    this.#drop()
    for (const reader of this.#readers.splice(0)) reader.reject(error)
  }

  /** Nobody wants the rest. */
  discard(): void {
    this.#discards = true
    this.#drop()
  }

  /** The next piece, undefined at the end. */
  read(): Promise<Uint8Array | undefined> {
    const piece = this.#pieces[this.#first]
    if (piece) {
      this.#first++
      if (this.#first === this.#pieces.length) {
        this.#pieces = []
        this.#first = 0
      }
      this.#taken(piece.used)
      return Promise.resolve(piece.buffer.subarray(0, piece.used))
    }
    if (this.#end.type === 'failed') return Promise.reject(this.#end.error)
    if (this.#end.type === 'ended') return Promise.resolve(undefined)
    const reader = Promise.withResolvers<Uint8Array | undefined>()
    this.#readers.push(reader)
    return reader.promise
  }

  #drop(): void {
    const bytes = this.#pieces.slice(this.#first).reduce((sum, {used}) => sum + used, 0)
    this.#pieces = []
    this.#first = 0
    if (bytes > 0) this.#taken(bytes)
  }
}

/** A piece is a part of what the socket gave at once: it must not keep much more than itself. */
function alone(piece: Uint8Array): Uint8Array {
  return piece.buffer.byteLength > 4 * piece.length ? new Uint8Array(piece) : piece
}
