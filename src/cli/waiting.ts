// 'waiting for the runtime 4 s' on a terminal's stderr, and nothing anywhere else.
import type {Clock} from '../base/clock.ts'

export interface Terminal {
  readonly isTTY?: boolean
  write(text: string): unknown
}

const clearLine = '\r\u001B[K'

/** Begins after a second; disposing of it takes the line away. */
export function showWaiting(what: () => string, clock: Clock, terminal: Terminal): Disposable {
  if (!terminal.isTTY) return {[Symbol.dispose]: () => undefined}
  const controller = new AbortController()
  let shown = false
  const count = async () => {
    for (let seconds = 1; ; seconds++) {
      await clock.sleep(1000, controller.signal)
      terminal.write(`${clearLine}waiting for ${what()} ${seconds} s`)
      shown = true
    }
  }
  count().catch(() => undefined)
  return {
    [Symbol.dispose]: () => {
      controller.abort()
      if (shown) terminal.write(clearLine)
    },
  }
}
