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
const emptyTable = '\x20'

export class HpackEncoder {
  readonly #huffman: boolean
  #first = true

  constructor({huffman = false}: HpackEncoderOptions = {}) {
    this.#huffman = huffman
  }

  encode(fields: readonly HeaderField[]): Buffer {
    // Octets are characters here, so one string is the cheapest way to put them together.
    let text = this.#first ? emptyTable : ''
    this.#first = false
    for (const field of fields) text += this.#coded(field)
    return Buffer.from(text, 'latin1')
  }

  #coded({name, value, sensitive = false}: HeaderField): string {
    const known = sensitive ? undefined : staticNumber(name, value)
    if (known !== undefined) return integer(known, 7, 0x80)
    const number = staticNameNumber(name) ?? 0
    const start = integer(number, 4, sensitive ? 0x10 : 0)
    return number === 0 ? start + this.#string(name) + this.#string(value) : start + this.#string(value)
  }

  #string(text: string): string {
    if (!this.#huffman) return integer(text.length, 7, 0) + text
    const bytes = Buffer.from(text, 'latin1')
    if (huffmanLength(bytes) >= bytes.length) return integer(text.length, 7, 0) + text
    const coded = huffmanEncode(bytes)
    return integer(coded.length, 7, 0x80) + coded.toString('latin1')
  }
}

function integer(value: number, prefix: number, first: number): string {
  return String.fromCharCode(...encodeInteger(value, prefix, first))
}
