import {expect, test} from 'vitest'
import {simulatedClock} from '../../src/base/simulated-clock.ts'
import {runningClock} from '../../src/lab/lab-clock.ts'

/** Time that somebody else makes go on. */
function running() {
  const real = simulatedClock(1000)
  const end = new AbortController()
  return {real, end, clock: runningClock({now: real.now, sleep: real.sleep}, end.signal)}
}

test('runningClock() goes on to a moment by waiting for it', async () => {
  const {real, clock} = running()
  let there = false
  void clock.run(1500).then(() => {
    there = true
  })
  await real.run(1499)
  expect(there).toBe(false)
  await real.run(1500)
  expect(there).toBe(true)
})

test('runningClock() wakes who sleeps, and lets go of who is told to', async () => {
  const {real, clock} = running()
  const told: string[] = []
  const own = new AbortController()
  void clock.sleep(10).then(() => told.push('woken'))
  clock.sleep(20, own.signal).catch((error: Error) => told.push(error.message))
  await real.run(1010)
  own.abort(new Error('left'))
  await real.run(1100)
  expect(told).toEqual(['woken', 'left'])
})

test('runningClock() stands still for all at its end, and rejects for whoever makes it go on', async () => {
  const {real, end, clock} = running()
  let woken = false
  void clock.sleep(10).finally(() => {
    woken = true
  })
  const run = clock.run(2000).catch((error: Error) => error.message)
  end.abort(new Error('over'))
  await real.run(3000)
  void clock.sleep(1).finally(() => {
    woken = true
  })
  await real.run(4000)
  expect(woken).toBe(false)
  expect(await run).toBe('over')
})

test('runningClock() knows how late somebody was awake', async () => {
  let now = 0
  const wakes: (() => void)[] = []
  const clock = runningClock(
    {now: () => now, sleep: () => new Promise<void>((resolve) => void wakes.push(resolve))},
    new AbortController().signal,
  )
  expect(clock.late?.()).toBe(0)
  const sleeps = [clock.sleep(10), clock.run(20)]
  now = 25
  for (const wake of wakes) wake()
  await Promise.all(sleeps)
  expect(clock.late?.()).toBe(15)
})
