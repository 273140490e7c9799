// A clock that goes on when a test says so.
import {setImmediate} from 'node:timers/promises'
import type {Clock} from '../../src/base/clock.ts'

export interface ManualClock extends Clock {
  /** Wakes whoever sleeps until then, in order, and lets them work. */
  advance(ms: number): Promise<void>
  /** How long they still sleep. */
  sleepers(): readonly number[]
}

export function manualClock(start = 0): ManualClock {
  let now = start
  const sleepers = new Set<{readonly until: number; readonly wake: () => void}>()
  const settle = async () => {
    for (let turn = 0; turn < 8; turn++) await setImmediate()
  }
  return {
    now: () => now,
    sleepers: () => [...sleepers].map(({until}) => until - now),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const sleeper = {until: now + ms, wake: resolve}
        sleepers.add(sleeper)
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper)
          reject(signal.reason)
        })
      }),
    advance: async (ms) => {
      const end = now + ms
      await settle()
      for (;;) {
        const [next] = [...sleepers].filter(({until}) => until <= end).sort((a, b) => a.until - b.until)
        if (next === undefined) break
        now = next.until
        sleepers.delete(next)
        next.wake()
        await settle()
      }
      now = end
    },
  }
}
