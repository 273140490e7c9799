// A copy of a body that passes, for a recording: its messages as far as they may be kept, and why not all of them are.
import {type DescMessage, fromBinary, type Message} from '@bufbuild/protobuf'
import type {HeaderField} from '../../../http2/header-field.ts'
import {MessageSplitter} from './message-splitter.ts'
import {plainBytes} from './plain-bytes.ts'
import {Unreadable} from './unreadable.ts'

export interface KeptLimits {
  /** Bytes of one body, before and behind its compression. */
  readonly body: number
  /** Of one body. */
  readonly messages: number
  /** Bytes of all bodies under way together. */
  readonly all: number
}

const MiB = 1024 * 1024

export const usualKeptLimits: KeptLimits = {body: 16 * MiB, messages: 1000, all: 128 * MiB}

/** What all bodies under way hold together. */
export interface HeldBytes {
  bytes: number
}

export interface ReadBody {
  readonly messages: readonly Message[]
  readonly unkept?: string
}

export class KeptBody {
  readonly #limits: KeptLimits
  readonly #held: HeldBytes
  /** 'the request' */
  readonly #what: string
  #fields: readonly HeaderField[]
  #pieces: Uint8Array[] = []
  #bytes = 0
  #unkept: string | undefined
  #closed = false

  constructor(what: string, limits: KeptLimits, held: HeldBytes, fields: readonly HeaderField[] = []) {
    this.#what = what
    this.#limits = limits
    this.#held = held
    this.#fields = fields
  }

  headers(fields: readonly HeaderField[]): void {
    this.#fields = fields
  }

  push(piece: Uint8Array): void {
    if (this.#closed || this.#unkept !== undefined) return
    if (this.#bytes + piece.length > this.#limits.body) this.#unkept = `${this.#what} has more than ${this.#limits.body / MiB} MiB`
    else if (this.#held.bytes + piece.length > this.#limits.all)
      this.#unkept = `other calls have taken what memory there is for ${this.#what}`
    else {
      this.#bytes += piece.length
      this.#held.bytes += piece.length
      // A small piece must not keep a large block of a socket's.
      this.#pieces.push(piece.length * 2 < piece.buffer.byteLength ? new Uint8Array(piece) : piece)
    }
  }

  /** Once: nothing is held any more then. Those that came before what cannot be kept are there. */
  read(desc: DescMessage): ReadBody {
    const messages: Message[] = []
    const unkept = this.#readInto(messages, desc) ?? this.#unkept
    this.close()
    return {messages, ...(unkept === undefined ? {} : {unkept})}
  }

  close(): void {
    this.#closed = true
    this.#held.bytes -= this.#bytes
    this.#bytes = 0
    this.#pieces = []
  }

  #readInto(messages: Message[], desc: DescMessage): string | undefined {
    const splitter = new MessageSplitter()
    for (const piece of this.#pieces) splitter.push(piece)
    let plain = 0
    try {
      for (let next = splitter.next(); next !== undefined; next = splitter.next()) {
        if (messages.length === this.#limits.messages) return `${this.#what} has more than ${this.#limits.messages} messages`
        const bytes = plainBytes(next, this.#fields)
        plain += bytes.length
        if (plain > this.#limits.body) return `${this.#what} has more than ${this.#limits.body / MiB} MiB`
        messages.push(decoded(desc, bytes))
      }
      return undefined
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      return `${this.#what} cannot be read: ${error.message}`
    }
  }
}

function decoded(desc: DescMessage, bytes: Uint8Array): Message {
  try {
    return fromBinary(desc, bytes)
  } catch {
    throw new Unreadable(`it is no ${desc.name}`)
  }
}
