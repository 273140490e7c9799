// Frames out of a stream of bytes that comes in chunks of any size.
import {type ConnectionFault, connectionFault, type Fault} from './fault.ts'
import {type Frame, frameHeaderBytes, smallestMaxFrameSize} from './frame.ts'
import {parseFrame} from './parse-frame.ts'

export class FrameReader {
  /** What our SETTINGS allow the peer. */
  maxFrameSize: number
  #parts: Buffer[] = []
  #bytes = 0
  /** Of the frame that comes next: its header, then all of it. */
  #needs = frameHeaderBytes
  #broken: ConnectionFault | undefined
  #raw: Buffer = Buffer.alloc(0)

  constructor(maxFrameSize: number = smallestMaxFrameSize) {
    this.maxFrameSize = maxFrameSize
  }

  /** Of the frame that next() gave last, header and all: whoever passes it on needs no copy. */
  get raw(): Buffer {
    return this.#raw
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return
    this.#parts.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
    this.#bytes += chunk.length
  }

  /** Undefined until a whole frame is there. After a fault of the connection it is that fault for ever, as nothing tells where the next frame starts. */
  next(): Frame | Fault | undefined {
    if (this.#broken) return this.#broken
    // Twice at most: joined parts are asked for once a frame's header is there, and once all of it is.
    while (this.#bytes >= this.#needs) {
      const bytes = this.#joined()
      const length = bytes.readUIntBE(0, 3)
      if (length > this.maxFrameSize) return this.#break(connectionFault('FRAME_SIZE_ERROR', `a frame has ${length} bytes`))
      const end = frameHeaderBytes + length
      if (bytes.length < end) {
        this.#needs = end
        return undefined
      }
      this.#raw = bytes.length === end ? bytes : bytes.subarray(0, end)
      this.#parts = bytes.length === end ? [] : [bytes.subarray(end)]
      this.#bytes -= end
      this.#needs = frameHeaderBytes
      const kind = bytes.readUInt8(3)
      const frame = parseFrame(kind, bytes.readUInt8(4), bytes.readUInt32BE(5) & 0x7fff_ffff, bytes.subarray(frameHeaderBytes, end))
      return frame.type === 'fault' && frame.scope === 'connection' ? this.#break(frame) : frame
    }
    return undefined
  }

  #joined(): Buffer {
    const [first] = this.#parts
    if (first && this.#parts.length === 1) return first
    const bytes = Buffer.concat(this.#parts, this.#bytes)
    this.#parts = [bytes]
    return bytes
  }

  #break(fault: ConnectionFault): ConnectionFault {
    this.#broken = fault
    this.#parts = []
    return fault
  }
}
