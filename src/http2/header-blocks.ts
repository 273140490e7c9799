// A block of header fields may come in pieces (RFC 9113, 4.3 and 6.10): HEADERS or PUSH_PROMISE, then CONTINUATION with nothing in between.
import {type ConnectionFault, connectionFault, type Fault} from './fault.ts'
import type {Frame, HeadersFrame, PushPromiseFrame} from './frame.ts'

export interface HeaderBlockLimits {
  /** Of a whole block, still compressed. */
  readonly maxBytes: number
  /** CONTINUATION frames of one block: empty ones cost the sender next to nothing. */
  readonly maxPieces: number
}

export class HeaderBlocks {
  readonly #limits: HeaderBlockLimits
  #head: HeadersFrame | PushPromiseFrame | undefined
  #pieces: Uint8Array[] = []
  #bytes = 0

  constructor(limits: HeaderBlockLimits) {
    this.#limits = limits
  }

  /** Frames pass through; those of a block come out as one, with all of its bytes, once it is whole. Undefined: until then. */
  take(frame: Frame | Fault): Frame | Fault | undefined {
    if (this.#head) return this.#continue(this.#head, frame)
    if (frame.type === 'CONTINUATION') return connectionFault('PROTOCOL_ERROR', 'CONTINUATION continues nothing')
    if ((frame.type !== 'HEADERS' && frame.type !== 'PUSH_PROMISE') || frame.endHeaders) return frame
    this.#head = frame
    return this.#add(frame.fragment)
  }

  #continue(head: HeadersFrame | PushPromiseFrame, frame: Frame | Fault): Frame | Fault | undefined {
    if (frame.type === 'fault' && frame.scope === 'connection') return frame
    if (frame.type !== 'CONTINUATION' || frame.streamId !== head.streamId)
      return connectionFault('PROTOCOL_ERROR', `${frame.type} is in the middle of a header block`)
    const fault = this.#add(frame.fragment)
    if (fault || !frame.endHeaders) return fault
    const fragment = Buffer.concat(this.#pieces, this.#bytes)
    this.#head = undefined
    this.#pieces = []
    this.#bytes = 0
    return {...head, fragment, endHeaders: true}
  }

  #add(fragment: Uint8Array): ConnectionFault | undefined {
    this.#pieces.push(fragment)
    this.#bytes += fragment.length
    if (this.#bytes > this.#limits.maxBytes || this.#pieces.length > this.#limits.maxPieces + 1)
      return connectionFault('ENHANCE_YOUR_CALM', 'a header block is too large')
    return undefined
  }
}
