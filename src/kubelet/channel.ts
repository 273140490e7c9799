// A Go channel with a buffer, as far as the model needs one: what does not fit is not sent, and who receives waits for the first of several.
import type {Clock} from '../base/clock.ts'
import type {Dice} from '../base/dice.ts'

export class Channel<T> {
  readonly #capacity: number
  #items: T[] = []
  #head = 0
  #wake: (() => void) | undefined

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get length(): number {
    return this.#items.length - this.#head
  }

  /** False when the buffer is full: then it is not sent. */
  trySend(item: T): boolean {
    if (this.length >= this.#capacity) return false
    this.#items.push(item)
    this.#wake?.()
    return true
  }

  tryReceive(): T | undefined {
    if (this.length === 0) return undefined
    const item = this.#items[this.#head++]
    if (this.#head === this.#items.length) {
      this.#items = []
      this.#head = 0
    }
    return item
  }

  /** There is one waiter at a time; undefined: nobody waits any more. */
  set onSend(wake: (() => void) | undefined) {
    this.#wake = wake
  }
}

/** Go's select: waits until one of them has something; when several have, the dice choose. */
export async function select<C extends Channel<unknown>>(channels: readonly C[], dice: Dice, signal: AbortSignal): Promise<C> {
  for (;;) {
    signal.throwIfAborted()
    const ready = channels.filter((channel) => channel.length > 0)
    const chosen = ready.length > 1 ? ready[dice.roll(ready.length)] : ready[0]
    if (chosen !== undefined) return chosen
    await new Promise<void>((resolve, reject) => {
      const abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort, {once: true})
      for (const channel of channels) {
        channel.onSend = () => {
          signal.removeEventListener('abort', abort)
          resolve()
        }
      }
    })
  }
}

/** Go's time.Tick: fires at multiples of the period from now on, whoever listens; a tick that nobody took yet swallows the next. */
export function tick(clock: Clock, periodMs: number, signal: AbortSignal): Channel<number> {
  const ticks = new Channel<number>(1)
  const start = clock.now()
  const fire = async () => {
    for (let count = 1; ; count++) {
      await clock.sleep(start + count * periodMs - clock.now(), signal)
      ticks.trySend(count)
    }
  }
  fire().catch((error) => {
    if (!signal.aborted) throw error
  })
  return ticks
}
