import fc from 'fast-check'
import {expect, test} from 'vitest'
import {simulatedClock} from '../../src/base/simulated-clock.ts'

const start = Date.UTC(2020, 0, 1)

test('run() wakes sleepers in the order of their time, and of their asking where that is the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({min: 0, max: 20}), {maxLength: 30}), async (lengths) => {
      const clock = simulatedClock(start)
      const woken: {index: number; at: number}[] = []
      for (const [index, ms] of lengths.entries()) void clock.sleep(ms).then(() => woken.push({index, at: clock.now() - start}))
      await clock.run(start + 100)
      const expected = lengths.map((at, index) => ({index, at})).sort((a, b) => a.at - b.at || a.index - b.index)
      expect(woken).toEqual(expected)
    }),
  )
})

test('run() lets all follow from one wake before the next', async () => {
  const clock = simulatedClock(start)
  const told: string[] = []
  const first = async () => {
    await clock.sleep(10)
    for (let step = 0; step < 5; step++) {
      await Promise.resolve()
      told.push(`first ${step}`)
    }
  }
  void first()
  void clock.sleep(10).then(() => told.push('second'))
  await clock.run(start + 10)
  expect(told).toEqual(['first 0', 'first 1', 'first 2', 'first 3', 'first 4', 'second'])
})

test('run() stands at its end, has done what is due then and nothing later', async () => {
  const clock = simulatedClock(start)
  const told: string[] = []
  void clock.sleep(100).then(() => told.push('at 100'))
  void clock.sleep(101).then(() => told.push('at 101'))
  await clock.run(start + 100)
  expect(clock.now()).toBe(start + 100)
  expect(told).toEqual(['at 100'])
  await clock.run(start + 101)
  expect(told).toEqual(['at 100', 'at 101'])
})

test('run() goes on to sleeps that began in it', async () => {
  const clock = simulatedClock(start)
  let ticks = 0
  const tick = async () => {
    for (;;) {
      await clock.sleep(1000)
      ticks++
    }
  }
  void tick()
  await clock.run(start + 600_000)
  expect(ticks).toBe(600)
})

test('sleep() rejects with the reason of the signal, at once when it was aborted before', async () => {
  const clock = simulatedClock(start)
  const controller = new AbortController()
  const told: unknown[] = []
  const tell = (reason: unknown) => told.push([clock.now() - start, reason])
  clock.sleep(1000, controller.signal).catch(tell)
  clock.sleep(Number.POSITIVE_INFINITY, controller.signal).catch(tell)
  void clock.sleep(300).then(() => controller.abort('enough'))
  await clock.run(start + 5000)
  clock.sleep(1, controller.signal).catch(tell)
  await clock.run(start + 5000)
  expect(told).toEqual([
    [300, 'enough'],
    [300, 'enough'],
    [5000, 'enough'],
  ])
})

test('sleep() that has ended is not touched by its signal', async () => {
  const clock = simulatedClock(start)
  const controller = new AbortController()
  const told: string[] = []
  void clock.sleep(10, controller.signal).then(
    () => told.push('woke'),
    () => told.push('rejected'),
  )
  await clock.run(start + 10)
  controller.abort()
  await clock.run(start + 20)
  expect(told).toEqual(['woke'])
})
