// A clock that stands still while anybody works and then jumps to whoever wakes next: ten minutes take milliseconds, the same every time.
import {setImmediate as turn} from 'node:timers/promises'
import TinyQueue from 'tinyqueue'
import type {Clock} from './clock.ts'
import {onAbort} from './on-abort.ts'

export interface SimulatedClock extends Clock {
  /** Lets everybody work and jumps, again and again; stands at `until` (milliseconds since 1970) when all that was due by then is done. */
  run(until: number): Promise<void>
}

interface Sleeper {
  readonly at: number
  readonly order: number
  /** Undefined once it was woken or gave up. */
  wake: (() => void) | undefined
}

/**
 * @param start milliseconds since 1970
 * @param quiesce resolves when nobody works any more. Default: when all promises have run, which is enough where nobody waits for anything else
 */
export function simulatedClock(start: number, quiesce: () => Promise<unknown> = turn): SimulatedClock {
  let now = start
  let order = 0
  const sleepers = new TinyQueue<Sleeper>([], (a, b) => a.at - b.at || a.order - b.order)
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        if (ms === Number.POSITIVE_INFINITY && signal === undefined) return
        const sleeper: Sleeper = {at: now + Math.max(0, ms), order: order++, wake: resolve}
        if (signal !== undefined) {
          const stay = onAbort(signal, () => {
            sleeper.wake = undefined
            reject(signal.reason)
          })
          sleeper.wake = () => {
            stay()
            resolve()
          }
        }
        if (sleeper.at < Number.POSITIVE_INFINITY) sleepers.push(sleeper)
      }),
    run: async (until) => {
      await quiesce()
      for (;;) {
        const next = sleepers.peek()
        if (next === undefined || next.at > until) break
        sleepers.pop()
        if (next.wake === undefined) continue
        now = next.at
        next.wake()
        await quiesce()
      }
      now = Math.max(now, until)
    },
  }
}
