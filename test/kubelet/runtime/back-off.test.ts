import {expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {backOff} from '../../../src/kubelet/runtime/back-off.ts'

test('next() doubles from 10 s to 300 s', async () => {
  const clock = simulatedClock(0)
  const waits = backOff(clock)
  const seen: number[] = []
  for (let step = 0; step < 7; step++) {
    waits.next('key', clock.now())
    seen.push(waits.get('key') / 1000)
  }
  expect(seen).toEqual([10, 20, 40, 80, 160, 300, 300])
  expect(waits.get('another')).toBe(0)
})

test('next() begins anew after twice the longest wait', async () => {
  const clock = simulatedClock(0)
  const waits = backOff(clock)
  waits.next('key', 0)
  waits.next('key', 0)
  await clock.run(600_000)
  waits.next('key', clock.now())
  expect(waits.get('key')).toBe(40_000)
  await clock.run(1_200_001)
  waits.next('key', clock.now())
  expect(waits.get('key')).toBe(10_000)
})

test('isInBackOffSince() counts from the event, isInBackOffSinceUpdate() from the last step', async () => {
  const clock = simulatedClock(0)
  const waits = backOff(clock)
  await clock.run(5000)
  waits.next('key', 0)
  await clock.run(9999)
  expect([waits.isInBackOffSince('key', 0), waits.isInBackOffSinceUpdate('key', clock.now())]).toEqual([true, true])
  await clock.run(10_000)
  expect([waits.isInBackOffSince('key', 0), waits.isInBackOffSinceUpdate('key', clock.now())]).toEqual([false, true])
  await clock.run(15_000)
  expect(waits.isInBackOffSinceUpdate('key', clock.now())).toBe(false)
})

test('gc() forgets what has been well for long', async () => {
  const clock = simulatedClock(0)
  const waits = backOff(clock)
  waits.next('key', 0)
  await clock.run(600_001)
  waits.gc()
  expect(waits.get('key')).toBe(0)
})
