// A copy of a body that passes, for whoever wants to read its messages when all is over. Of a body that is too large nothing is kept.
import type {HeaderField} from '../../../http2/header-field.ts'
import {MessageSplitter} from './message-splitter.ts'
import {plainBytes} from './plain-bytes.ts'

export class Capture {
  readonly #most: number
  #fields: readonly HeaderField[]
  #pieces: Uint8Array[] | undefined = []
  #bytes = 0

  constructor(most: number, fields: readonly HeaderField[] = []) {
    this.#most = most
    this.#fields = fields
  }

  headers(fields: readonly HeaderField[]): void {
    this.#fields = fields
  }

  push(piece: Uint8Array): void {
    if (this.#pieces === undefined) return
    this.#bytes += piece.length
    if (this.#bytes > this.#most) this.#pieces = undefined
    else this.#pieces.push(piece)
  }

  /** Without their compression. @throws Unreadable */
  *messages(): Generator<Uint8Array> {
    const splitter = new MessageSplitter()
    for (const piece of this.#pieces ?? []) splitter.push(piece)
    for (let next = splitter.next(); next !== undefined; next = splitter.next()) yield plainBytes(next, this.#fields)
  }
}
