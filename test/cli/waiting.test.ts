import {describe, expect, test} from 'vitest'
import type {Clock} from '../../src/base/clock.ts'
import {showWaiting} from '../../src/cli/waiting.ts'

/** Sleeps end when told so. */
function manualClock() {
  const wakes: (() => void)[] = []
  const clock: Clock = {
    now: () => 0,
    sleep: (_ms, signal) =>
      new Promise((resolve, reject) => {
        wakes.push(resolve)
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  }
  return {
    clock,
    tick: async () => {
      wakes.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

describe('showWaiting()', () => {
  test('counts seconds on a terminal, and takes the line away', async () => {
    const written: string[] = []
    const {clock, tick} = manualClock()
    {
      using _waiting = showWaiting(() => 'the runtime', clock, {isTTY: true, write: (text) => written.push(text)})
      await tick()
      await tick()
    }
    expect(written).toEqual(['\r\u001b[Kwaiting for the runtime 1 s', '\r\u001b[Kwaiting for the runtime 2 s', '\r\u001b[K'])
  })

  test('writes nothing when it was quick, and nothing to a pipe', async () => {
    const written: string[] = []
    const {clock, tick} = manualClock()
    {
      using _quick = showWaiting(() => 'the runtime', clock, {isTTY: true, write: (text) => written.push(text)})
    }
    {
      using _pipe = showWaiting(() => 'the runtime', clock, {write: (text) => written.push(text)})
      await tick()
    }
    expect(written).toEqual([])
  })
})
