// Blocks of header fields as the peer's encoder wrote them (RFC 7541). It has a state, so each block must go through it, in order.
import {DynamicTable} from './dynamic-table.ts'
import {type ConnectionFault, connectionFault} from './fault.ts'
import {fieldSize, type HeaderField} from './header-field.ts'
import {type Cursor, decodeInteger} from './hpack-integer.ts'
import {huffmanDecode} from './huffman.ts'
import {staticTable} from './static-table.ts'

export interface HpackDecoderOptions {
  /** Of SETTINGS_HEADER_TABLE_SIZE; default 4096. */
  readonly tableSize?: number
  /** Of a list, decoded: what goes beyond it is left out. */
  readonly maxListSize: number
}

export interface DecodedFields {
  readonly type: 'fields'
  readonly fields: readonly HeaderField[]
  /** The list was larger than it may be, so fields are missing. */
  readonly truncated: boolean
}

/** One that a block can be malformed by. */
type Malformed = string

export class HpackDecoder {
  readonly #table: DynamicTable
  readonly #maxListSize: number
  #limit: number
  /** A lower limit was acknowledged, and the peer has not said yet that it heeds it. */
  #owesUpdate = false

  constructor({tableSize = 4096, maxListSize}: HpackDecoderOptions) {
    this.#table = new DynamicTable(tableSize)
    this.#limit = tableSize
    this.#maxListSize = maxListSize
  }

  /** Once the peer has acknowledged SETTINGS with another size. */
  setTableLimit(limit: number): void {
    this.#limit = limit
    if (this.#table.maxSize > limit) this.#owesUpdate = true
  }

  decode(block: Uint8Array): DecodedFields | ConnectionFault {
    const cursor: Cursor = {bytes: Buffer.from(block.buffer, block.byteOffset, block.length), at: 0}
    const fields: HeaderField[] = []
    let size = 0
    let first = true
    while (cursor.at < block.length) {
      const bits = cursor.bytes[cursor.at] ?? 0
      if (bits >> 5 === 1) {
        const malformed = first ? this.#updateSize(cursor) : 'a table size update is behind a field'
        if (malformed) return connectionFault('COMPRESSION_ERROR', malformed)
        continue
      }
      if (this.#owesUpdate) return connectionFault('COMPRESSION_ERROR', 'a table size update is missing')
      first = false
      const field = this.#field(cursor, bits)
      if (typeof field === 'string') return connectionFault('COMPRESSION_ERROR', field)
      size += fieldSize(field)
      // A block of 16 KiB can name a field of 4 KiB 16,000 times; the table must be kept up all the same.
      if (size <= this.#maxListSize) fields.push(field)
    }
    return {type: 'fields', fields, truncated: size > this.#maxListSize}
  }

  #updateSize(cursor: Cursor): Malformed | undefined {
    const size = decodeInteger(cursor, 5)
    if (size === undefined || size > this.#limit) return 'a table size update is above the limit'
    this.#table.resize(size)
    this.#owesUpdate = false
    return undefined
  }

  #field(cursor: Cursor, bits: number): HeaderField | Malformed {
    if (bits & 0x80) {
      const number = decodeInteger(cursor, 7)
      return (number && this.#at(number)) || 'a field is of no table'
    }
    const indexed = (bits & 0x40) !== 0
    const number = decodeInteger(cursor, indexed ? 6 : 4)
    if (number === undefined) return 'an integer is malformed'
    const name = number === 0 ? stringOf(cursor) : this.#at(number)?.name
    if (name === undefined) return 'a name is of no table or malformed'
    const value = stringOf(cursor)
    if (value === undefined) return 'a value is malformed'
    const sensitive = !indexed && (bits & 0x10) !== 0
    const field = sensitive ? {name, value, sensitive} : {name, value}
    if (indexed) this.#table.add(field)
    return field
  }

  #at(number: number): HeaderField | undefined {
    return number <= staticTable.length ? staticTable[number - 1] : this.#table.at(number - staticTable.length - 1)
  }
}

function stringOf(cursor: Cursor): string | undefined {
  const {bytes} = cursor
  const huffman = ((bytes[cursor.at] ?? 0) & 0x80) !== 0
  const length = decodeInteger(cursor, 7)
  if (length === undefined || cursor.at + length > bytes.length) return undefined
  const start = cursor.at
  cursor.at += length
  if (!huffman) return bytes.toString('latin1', start, cursor.at)
  return huffmanDecode(bytes.subarray(start, cursor.at))?.toString('latin1')
}
