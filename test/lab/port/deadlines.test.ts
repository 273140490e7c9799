import fc from 'fast-check'
import {expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {deadlines} from '../../../src/lab/port/deadlines.ts'

const anyCall = fc.record({begins: fc.nat({max: 50}), timeout: fc.constantFrom(5, 20), takes: fc.nat({max: 40})})

/** When each call expired; calls that end in time do not. */
async function expiries(
  calls: readonly {begins: number; timeout: number; takes: number}[],
  until: number,
): Promise<(number | undefined)[]> {
  const clock = simulatedClock(0)
  const all = deadlines(clock)
  const expired: (number | undefined)[] = calls.map(() => undefined)
  for (const [index, {begins, timeout, takes}] of calls.entries()) {
    void clock.sleep(begins).then(async () => {
      const call = {
        open: true,
        expire: () => {
          expired[index] = clock.now()
        },
      }
      all.add(timeout, call)
      await clock.sleep(takes)
      call.open = false
    })
  }
  await clock.run(until)
  return expired
}

test('deadlines() expire the calls that are open when their time is over, each at its moment', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCall, {maxLength: 30}), async (calls) => {
      const expired = await expiries(calls, 200)
      for (const [index, {begins, timeout, takes}] of calls.entries()) {
        // A call that ends in the very millisecond of its deadline may do either.
        if (takes !== timeout) expect(expired[index]).toBe(takes > timeout ? begins + timeout : undefined)
      }
    }),
  )
})

test('deadlines() forget the calls of long ago and none of those that wait', async () => {
  const calls = Array.from({length: 5000}, (_, index) => ({begins: index, timeout: 1500, takes: index % 3 === 0 ? 9000 : 1}))
  const expired = await expiries(calls, 20_000)
  expect(expired).toEqual(calls.map(({begins, takes}) => (takes > 1 ? begins + 1500 : undefined)))
})

test('deadlines() let a call without one wait for ever', async () => {
  const clock = simulatedClock(0)
  let expired = false
  deadlines(clock).add(Number.POSITIVE_INFINITY, {open: true, expire: () => (expired = true)})
  await clock.run(1e9)
  expect(expired).toBe(false)
})
