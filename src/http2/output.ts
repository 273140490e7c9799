// What goes out of a connection: in order, gathered while the program works and written at once, the next lot when the socket has taken the last.
import type {Duplex} from 'node:stream'

/** As much as is gathered ahead of the socket; more would only make what is urgent wait. */
const enough = 128 * 1024

const fewBytes = 8192

export class Output {
  readonly #socket: Duplex
  readonly #onRoom: () => void
  #queue: Uint8Array[] = []
  #queued = 0
  #owed = 0
  #inFlight = 0
  #scheduled = false
  #ending: (() => void) | undefined

  /** @param onRoom is told each time the socket has taken something */
  constructor(socket: Duplex, onRoom: () => void) {
    this.#socket = socket
    this.#onRoom = onRoom
  }

  /** DATA waits while this is so; everything else goes into the queue. */
  get full(): boolean {
    return this.backlog >= enough
  }

  /** Bytes that the peer made us write and that the socket has not been given: they pile up when it does not read. */
  get owed(): number {
    return this.#owed
  }

  /** Bytes that the socket has not taken yet. */
  get backlog(): number {
    return this.#queued + this.#inFlight
  }

  write(bytes: Uint8Array, owed = false): void {
    if (this.#ending) return
    this.#queue.push(bytes)
    this.#queued += bytes.length
    if (owed) this.#owed += bytes.length
    if (this.#scheduled || this.#inFlight > 0) return
    this.#scheduled = true
    // A tick that is asked for in a microtask comes once there is none left: a reply's headers, body and trailers are one write.
    queueMicrotask(() => process.nextTick(() => this.flush()))
  }

  /** What was gathered goes now, for whoever knows that nothing more will come. */
  flush(): void {
    if (this.#scheduled) this.#flush()
  }

  /** Takes nothing more; calls back when the socket has taken all. */
  end(done: () => void): void {
    if (this.#ending) return
    this.#ending = done
    if (this.#inFlight === 0) this.#flush()
  }

  #flush(): void {
    this.#scheduled = false
    if (this.#inFlight > 0) return
    const lot = this.#queue
    if (lot.length === 0 || this.#socket.destroyed) {
      this.#queue = []
      this.#queued = 0
      this.#ending?.()
      return
    }
    this.#inFlight = this.#queued
    this.#queue = []
    this.#queued = 0
    this.#owed = 0
    const [first] = lot
    // A copy of a few bytes is cheaper than a write of each.
    if (first && (lot.length === 1 || this.#inFlight <= fewBytes)) {
      this.#socket.write(lot.length === 1 ? first : Buffer.concat(lot, this.#inFlight), () => this.#written())
      return
    }
    this.#socket.cork()
    for (const [index, bytes] of lot.entries()) {
      if (index < lot.length - 1) this.#socket.write(bytes)
      else this.#socket.write(bytes, () => this.#written())
    }
    this.#socket.uncork()
  }

  #written(): void {
    this.#inFlight = 0
    if (!this.#ending) this.#onRoom()
    if (this.#queue.length > 0 || this.#ending) this.#flush()
  }
}
