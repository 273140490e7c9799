// The fields that one side of a connection has told the other to remember (RFC 7541, 2.3.2 and 4).
import {fieldSize, type HeaderField} from './header-field.ts'

export class DynamicTable {
  /** Oldest first, from #start on; what is before that is gone. */
  #fields: HeaderField[] = []
  #start = 0
  #size = 0
  #maxSize: number

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get size(): number {
    return this.#size
  }

  get maxSize(): number {
    return this.#maxSize
  }

  resize(maxSize: number): void {
    this.#maxSize = maxSize
    this.#evict(0)
  }

  /** A field that is larger than the table empties it and is not an error. */
  add(field: HeaderField): void {
    const size = fieldSize(field)
    this.#evict(size)
    if (size > this.#maxSize) return
    this.#fields.push(field)
    this.#size += size
  }

  /** The newest is 0. */
  at(index: number): HeaderField | undefined {
    const place = this.#fields.length - 1 - index
    return place < this.#start ? undefined : this.#fields[place]
  }

  #evict(room: number): void {
    while (this.#size + room > this.#maxSize && this.#start < this.#fields.length) {
      const oldest = this.#fields[this.#start++]
      if (oldest) this.#size -= fieldSize(oldest)
    }
    if (this.#start > 64 && this.#start * 2 > this.#fields.length) {
      this.#fields = this.#fields.slice(this.#start)
      this.#start = 0
    }
  }
}
