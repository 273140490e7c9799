import {expect, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {scaledClock} from '../../src/base/scaled-clock.ts'
import {manualClock} from '../support/manual-clock.ts'

test.for([
  [1, 5000, 5000],
  [10, 5000, 50_000],
  [0.5, 5000, 2500],
  [60, 1, 60],
])('scaledClock() of scale %d is after %d ms by the real clock %d ms on', async ([scale = 0, real = 0, scaled = 0]) => {
  const clock = manualClock(1_000_000)
  const fast = scaledClock(clock, scale)
  expect(fast.now()).toBe(1_000_000)
  await clock.advance(real)
  expect(fast.now()).toBe(1_000_000 + scaled)
})

test.for([
  [10, 5000, 500],
  [60, 100, 2],
  [0.5, 100, 200],
])('scaledClock() of scale %d wakes who sleeps for %d ms after %d ms by the real clock', async ([scale = 0, ms = 0, real = 0]) => {
  const clock = manualClock()
  let awake = false
  const sleeps = scaledClock(clock, scale)
    .sleep(ms)
    .then(() => {
      awake = true
    })
  await clock.advance(real - 1)
  expect(awake).toBe(false)
  await clock.advance(1)
  expect(awake).toBe(true)
  await sleeps
})

test('scaledClock() never wakes anybody before the time that they have asked for', async () => {
  const clock = scaledClock(systemClock, 60)
  for (const ms of [0, 1, 59, 61, 100, 333]) {
    const from = clock.now()
    await clock.sleep(ms)
    expect(clock.now() - from).toBeGreaterThanOrEqual(ms)
  }
})

test('scaledClock() rejects a sleep with the reason of its signal, before and while it sleeps', async () => {
  const clock = scaledClock(manualClock(), 10)
  const reason = new Error('enough')
  await expect(clock.sleep(1000, AbortSignal.abort(reason))).rejects.toBe(reason)
  const controller = new AbortController()
  const sleeps = clock.sleep(1000, controller.signal)
  controller.abort(reason)
  await expect(sleeps).rejects.toBe(reason)
})

test('scaledClock() sleeps for ever where it is told so', async () => {
  const clock = manualClock()
  let awake = false
  void scaledClock(clock, 10)
    .sleep(Number.POSITIVE_INFINITY)
    .then(() => {
      awake = true
    })
  await clock.advance(1e12)
  expect(awake).toBe(false)
})

test('scaledClock() puts moments of the real clock at its own, those before its start, too', async () => {
  const clock = scaledClock(manualClock(1_000_000), 10)
  expect([999_000, 1_000_000, 1_002_500].map(clock.fromReal)).toEqual([990_000, 1_000_000, 1_025_000])
})

test('scaledClock() begins where it is told to', async () => {
  const real = manualClock(1_000_000)
  const clock = scaledClock(real, 10, 5000)
  expect(clock.now()).toBe(5000)
  await real.advance(20)
  expect(clock.now()).toBe(5200)
  expect(clock.fromReal(1_000_100)).toBe(6000)
})
