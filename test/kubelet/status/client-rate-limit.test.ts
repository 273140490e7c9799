import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Clock} from '../../../src/base/clock.ts'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {clientRateLimit, type RateLimiter, tokenBucket} from '../../../src/kubelet/status/client-rate-limit.ts'
import {start, switched} from '../../support/model-pods.ts'

const {signal} = new AbortController()

/** When each of the calls got through, in milliseconds: one after the other, each after a pause. */
async function moments(limiter: (clock: Clock) => RateLimiter, pauses: readonly number[]): Promise<number[]> {
  const clock = simulatedClock(start)
  const limit = limiter(clock)
  const passed: number[] = []
  const ask = async () => {
    for (const pause of pauses) {
      await clock.sleep(pause)
      await limit.wait(signal)
      passed.push(clock.now() - start)
    }
  }
  const asked = ask()
  await clock.run(start + 3_600_000)
  await asked
  return passed
}

test('tokenBucket() lets a burst through and then one by one', async () => {
  const passed = await moments((clock) => tokenBucket(5, 3, clock), [0, 0, 0, 0, 0, 1000, 0, 0, 0])
  expect(passed).toEqual([0, 0, 0, 200, 400, 1400, 1400, 1400, 1600])
})

test('tokenBucket() lets no window have more than the burst and what came in meanwhile', async () => {
  const sizes = {qps: fc.constantFrom(1, 2, 5, 50), burst: fc.integer({min: 1, max: 20})}
  await fc.assert(
    fc.asyncProperty(fc.record(sizes), fc.array(fc.integer({min: 0, max: 300}), {maxLength: 60}), async ({qps, burst}, pauses) => {
      const passed = await moments((clock) => tokenBucket(qps, burst, clock), pauses)
      for (const [first, from] of passed.entries()) {
        for (const [offset, to] of passed.slice(first).entries()) {
          expect(offset + 1).toBeLessThanOrEqual(burst + Math.floor(((to - from) * qps) / 1000) + 1e-9)
        }
      }
    }),
    {numRuns: 30},
  )
})

test.each<readonly [what: string, fifty: boolean, config: object, burst: number, everyMs: number]>([
  ['without client-fifty-qps', false, {}, 10, 200],
  ['with client-fifty-qps', true, {}, 100, 20],
  ['as configured', true, {kubeAPIQPS: 20, kubeAPIBurst: 2}, 2, 50],
])('clientRateLimit() %s', async (_what, fifty, config, burst, everyMs) => {
  const profile = switched('1.26.5', 'client-fifty-qps', fifty)
  const passed = await moments((clock) => clientRateLimit(profile, config, clock), Array(burst + 2).fill(0))
  expect(passed.slice(burst - 1)).toEqual([0, everyMs, 2 * everyMs])
})

test('clientRateLimit() is faster from 1.27 on', async () => {
  const last = async (version: string) =>
    (await moments((clock) => clientRateLimit(profileOf(version), {}, clock), Array(101).fill(0))).at(-1)
  expect(await last('1.26.5')).toBe(91 * 200)
  expect(await last('1.36.2')).toBe(20)
})
