import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {largestWindow, ReceiveWindow, SendWindow} from '../../src/http2/flow-window.ts'

describe('SendWindow', () => {
  test('takes 2^31-1 and not one more', () => {
    const window = new SendWindow(1)
    expect(window.add(largestWindow)).toBe(false)
    expect(window.available).toBe(1)
    expect(window.add(largestWindow - 1)).toBe(true)
    expect(window.available).toBe(2_147_483_647)
  })

  test('goes below 0 by a change of SETTINGS and comes back by updates', () => {
    const window = new SendWindow(100)
    window.use(80)
    window.add(-50)
    expect(window.available).toBe(-30)
    window.add(31)
    expect(window.available).toBe(1)
  })
})

describe('ReceiveWindow', () => {
  test('takes exactly its size', () => {
    const window = new ReceiveWindow(10)
    expect(window.receive(10)).toBe(true)
    expect(window.receive(0)).toBe(true)
    expect(window.receive(1)).toBe(false)
  })

  test.each([
    [10, 4, 0],
    [10, 5, 5],
    [11, 5, 0],
    [1, 1, 1],
    [0, 0, 0],
  ])('of %i tells the peer of %i bytes by an update of %i', (size, bytes, increment) => {
    const window = new ReceiveWindow(size)
    window.receive(bytes)
    expect(window.release(bytes)).toBe(increment)
  })

  test('keeps the sum: what may come, what is held, what is due to be told are its size, and nothing stalls', () => {
    const steps = fc.array(fc.record({act: fc.constantFrom('send', 'take', 'resize'), amount: fc.nat(200)}), {maxLength: 60})
    fc.assert(
      fc.property(fc.nat(150), steps, (start, acts) => {
        const window = new ReceiveWindow(start)
        // The peer's own count, as it gets the updates.
        const peer = new SendWindow(start)
        let size = start
        let held = 0
        for (const {act, amount} of acts) {
          if (act === 'send') {
            const bytes = Math.min(amount, Math.max(0, peer.available))
            peer.use(bytes)
            expect(window.receive(bytes)).toBe(true)
            held += bytes
          } else if (act === 'take') {
            const bytes = Math.min(amount, held)
            held -= bytes
            const increment = window.release(bytes)
            if (increment > 0) peer.add(increment)
          } else {
            peer.add(amount - size)
            const increment = window.resize(amount)
            if (increment > 0) peer.add(increment)
            size = amount
          }
          expect(window.available).toBe(peer.available)
          expect(window.available + held).toBeLessThanOrEqual(size)
          if (held === 0 && size > 0) expect(window.available).toBeGreaterThan(0)
        }
      }),
      {numRuns: 1000},
    )
  })
})
