// Blocks of header fields without the dynamic table: each stands alone, so one that is held back, lost or made up breaks no other.
import type {HeaderField} from './header-field.ts'
import {encodeInteger} from './hpack-integer.ts'
import {huffmanEncode, huffmanLength} from './huffman.ts'
import {staticNameNumber, staticNumber} from './static-table.ts'

export interface HpackEncoderOptions {
  /** Strings that get shorter by it are Huffman coded. Default: none, as on a unix socket time is dearer than bytes. */
  readonly huffman?: boolean
}

/** Sets the peer's dynamic table to size 0, so that no limit of its SETTINGS is ever above ours (RFC 7541, 4.2). */
const emptyTable = 0x20

export class HpackEncoder {
  readonly #huffman: boolean
  #first = true

  constructor({huffman = false}: HpackEncoderOptions = {}) {
    this.#huffman = huffman
  }

  encode(fields: readonly HeaderField[]): Buffer {
    const parts: Uint8Array[] = []
    if (this.#first) parts.push(Uint8Array.of(emptyTable))
    this.#first = false
    for (const field of fields) this.#write(field, parts)
    return Buffer.concat(parts)
  }

  #write({name, value, sensitive = false}: HeaderField, parts: Uint8Array[]): void {
    const known = sensitive ? undefined : staticNumber(name, value)
    if (known !== undefined) {
      parts.push(Uint8Array.from(encodeInteger(known, 7, 0x80)))
      return
    }
    const number = staticNameNumber(name) ?? 0
    parts.push(Uint8Array.from(encodeInteger(number, 4, sensitive ? 0x10 : 0)))
    if (number === 0) this.#string(name, parts)
    this.#string(value, parts)
  }

  #string(text: string, parts: Uint8Array[]): void {
    const bytes = Buffer.from(text, 'latin1')
    const shorter = this.#huffman && huffmanLength(bytes) < bytes.length
    const coded = shorter ? huffmanEncode(bytes) : bytes
    parts.push(Uint8Array.from(encodeInteger(coded.length, 7, shorter ? 0x80 : 0)), coded)
  }
}
