// Which stream sends next: in turn, a frame each, as far as the windows and the socket have room.
import {initialWindow, SendWindow} from './flow-window.ts'
import type {Portion} from './outbox.ts'

export interface Sender {
  readonly outbox: {
    readonly hasBytes: boolean
    take(most: number): Portion
    takeEnding(): object | undefined
  }
  readonly sendWindow: Pick<SendWindow, 'available' | 'use'>
}

export type EndingOf<S extends Sender> = NonNullable<ReturnType<S['outbox']['takeEnding']>>

export interface SchedulerPort<S extends Sender> {
  /** The socket takes no more now. */
  readonly full: () => boolean
  readonly maxFrameSize: () => number
  readonly sendData: (sender: S, bytes: Uint8Array, last: boolean) => void
  readonly sendEnding: (sender: S, ending: EndingOf<S>) => void
}

export class DataScheduler<S extends Sender> {
  /** The connection's. */
  readonly window = new SendWindow(initialWindow)
  readonly #port: SchedulerPort<S>
  readonly #ready = new Set<S>()
  /** Those that only the connection's window holds up. */
  readonly #starved = new Set<S>()

  constructor(port: SchedulerPort<S>) {
    this.#port = port
  }

  /** It has something to send, or its window got larger. */
  ready(sender: S): void {
    this.#ready.add(sender)
    this.pump()
  }

  forget(sender: S): void {
    this.#ready.delete(sender)
    this.#starved.delete(sender)
  }

  /** The connection's window got larger, or the windows of all of these, who then take turns from the start. */
  resume(senders: Iterable<S> = []): void {
    for (const sender of this.#starved) this.#ready.add(sender)
    this.#starved.clear()
    for (const sender of senders) this.#ready.add(sender)
    this.pump()
  }

  pump(): void {
    for (const sender of this.#ready) {
      if (this.#port.full()) return
      this.#ready.delete(sender)
      this.#serve(sender)
    }
  }

  #serve(sender: S): void {
    const {outbox, sendWindow} = sender
    if (!outbox.hasBytes) {
      const ending = outbox.takeEnding()
      if (ending) this.#port.sendEnding(sender, ending as EndingOf<S>)
      return
    }
    if (sendWindow.available <= 0) return
    if (this.window.available <= 0) {
      this.#starved.add(sender)
      return
    }
    const {bytes, last} = outbox.take(Math.min(sendWindow.available, this.window.available, this.#port.maxFrameSize()))
    sendWindow.use(bytes.length)
    this.window.use(bytes.length)
    // Last in the set again: the walk through it comes back once all others had their turn.
    if (!last) this.#ready.add(sender)
    this.#port.sendData(sender, bytes, last)
  }
}
