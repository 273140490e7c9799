// The octets that a client starts with (RFC 9113, 3.4).

export const clientPreface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1')

export class PrefaceReader {
  #seen = 0

  get whole(): boolean {
    return this.#seen === clientPreface.length
  }

  /** What is behind it in this chunk, nothing while it is not whole, undefined when it is another. */
  take(chunk: Uint8Array): Uint8Array | undefined {
    const wanted = clientPreface.subarray(this.#seen, this.#seen + chunk.length)
    if (wanted.compare(chunk, 0, wanted.length) !== 0) return undefined
    this.#seen += wanted.length
    return chunk.subarray(wanted.length)
  }
}
