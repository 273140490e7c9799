// gRPC's messages in a body that comes in pieces: a flag, a length of four bytes, so many bytes (gRPC over HTTP/2, "Length-Prefixed-Message").

const prefixBytes = 5

export interface FramedMessage {
  readonly compressed: boolean
  readonly bytes: Uint8Array
}

export class MessageSplitter {
  #pieces: Uint8Array[] = []
  #held = 0

  push(piece: Uint8Array): void {
    if (piece.length === 0) return
    this.#pieces.push(piece)
    this.#held += piece.length
  }

  /** What came and belongs to no whole message yet. */
  get held(): number {
    return this.#held
  }

  /** How long the message is that has begun; undefined as long as its prefix is not whole. */
  get announced(): number | undefined {
    const prefix = this.#peek(prefixBytes)
    return prefix && lengthIn(prefix)
  }

  /** The next whole message. */
  next(): FramedMessage | undefined {
    const length = this.announced
    if (length === undefined || this.#held < prefixBytes + length) return undefined
    const framed = this.#take(prefixBytes + length)
    return {compressed: framed[0] === 1, bytes: framed.subarray(prefixBytes)}
  }

  /** All that is held, as it came. */
  rest(): Uint8Array {
    return this.#take(this.#held)
  }

  #peek(count: number): Uint8Array | undefined {
    if (this.#held < count) return undefined
    const [first] = this.#pieces
    if (first !== undefined && first.length >= count) return first
    this.#pieces = [Buffer.concat(this.#pieces)]
    return this.#pieces[0]
  }

  #take(count: number): Uint8Array {
    const [first] = this.#pieces
    const whole = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces)
    this.#pieces = whole.length > count ? [whole.subarray(count)] : []
    this.#held -= count
    return whole.subarray(0, count)
  }
}

export function frameMessage({compressed, bytes}: FramedMessage): Uint8Array {
  const framed = new Uint8Array(prefixBytes + bytes.length)
  framed[0] = compressed ? 1 : 0
  new DataView(framed.buffer).setUint32(1, bytes.length)
  framed.set(bytes, prefixBytes)
  return framed
}

const lengthIn = (prefix: Uint8Array) => new DataView(prefix.buffer, prefix.byteOffset).getUint32(1)
