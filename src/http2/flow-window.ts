// Flow control (RFC 9113, 5.2 and 6.9): how much one side may still send, for a stream and for the connection.
import {connectionFault, type Fault, streamFault} from './fault.ts'

/** Of a window, and of one WINDOW_UPDATE. */
export const largestWindow = 2 ** 31 - 1

/** Of each window until SETTINGS or WINDOW_UPDATE say otherwise. */
export const initialWindow = 65_535

/** What we may send. SETTINGS can take it below 0 (RFC 9113, 6.9.2); then nothing goes until updates have brought it up again. */
export class SendWindow {
  #available: number

  constructor(available: number) {
    this.#available = available
  }

  get available(): number {
    return this.#available
  }

  use(bytes: number): void {
    this.#available -= bytes
  }

  /** False when the window would become too large; then it stays as it is. */
  add(bytes: number): boolean {
    if (this.#available + bytes > largestWindow) return false
    this.#available += bytes
    return true
  }
}

/** What the peer may send, and what it must be told that it may send again. */
export class ReceiveWindow {
  #size: number
  #available: number
  #taken = 0

  constructor(size: number) {
    this.#size = size
    this.#available = size
  }

  /** What the peer may send as of now; our SETTINGS can take it below 0. */
  get available(): number {
    return this.#available
  }

  /** False when the peer sent more than it may. An empty frame, which ends a stream, it always may. */
  receive(bytes: number): boolean {
    if (bytes > 0 && bytes > this.#available) return false
    this.#available -= bytes
    return true
  }

  /** These bytes were used up. How much to add to the peer's window by WINDOW_UPDATE now: nothing until half the window is due. */
  release(bytes: number): number {
    this.#taken += bytes
    if (this.#taken === 0 || this.#taken * 2 < this.#size) return 0
    const increment = this.#taken
    this.#taken = 0
    this.#available += increment
    return increment
  }

  /** The peer was told that it may send so much more, whatever it has sent. */
  widen(bytes: number): void {
    this.#available += bytes
  }

  /** Our SETTINGS were acknowledged. What release() held back may be due now, and nothing else would ask for it. */
  resize(size: number): number {
    this.#available += size - this.#size
    this.#size = size
    return this.release(0)
  }
}

export function windowTooLarge(streamId: number): Fault {
  const reason = `the window is larger than ${largestWindow}`
  return streamId === 0 ? connectionFault('FLOW_CONTROL_ERROR', reason) : streamFault(streamId, 'FLOW_CONTROL_ERROR', reason)
}

export function sentTooMuch(streamId: number): Fault {
  const reason = 'there is more data than the window has room for'
  return streamId === 0 ? connectionFault('FLOW_CONTROL_ERROR', reason) : streamFault(streamId, 'FLOW_CONTROL_ERROR', reason)
}
