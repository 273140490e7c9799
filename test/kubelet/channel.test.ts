import {expect, test} from 'vitest'
import {seeded} from '../../src/base/dice.ts'
import {simulatedClock} from '../../src/base/simulated-clock.ts'
import {Channel, select, tick} from '../../src/kubelet/channel.ts'
import {start} from '../support/model-pods.ts'

const {signal} = new AbortController()

test('Channel drops what does not fit and gives back the oldest first', () => {
  const channel = new Channel<string>(2)
  expect(['a', 'b', 'c'].map((item) => channel.trySend(item))).toEqual([true, true, false])
  expect(channel.tryReceive()).toBe('a')
  expect(channel.trySend('d')).toBe(true)
  expect([channel.tryReceive(), channel.tryReceive(), channel.tryReceive()]).toEqual(['b', 'd', undefined])
  expect(channel.length).toBe(0)
})

test('select() waits for the first that has something', async () => {
  const [a, b] = [new Channel<string>(1), new Channel<string>(1)]
  const selected = select([a, b], seeded(1), signal)
  b.trySend('b')
  expect(await selected).toBe(b)
})

test('select() throws the dice when both have something', async () => {
  const [a, b] = [new Channel<string>(1), new Channel<string>(1)]
  a.trySend('a')
  b.trySend('b')
  const dice = seeded(1)
  const chosen = await Promise.all(Array.from({length: 100}, () => select([a, b], dice, signal)))
  const firsts = chosen.filter((channel) => channel === a).length
  expect(firsts).toBeGreaterThan(30)
  expect(firsts).toBeLessThan(70)
})

test('select() ends when it is aborted', async () => {
  const stop = new AbortController()
  const selected = select([new Channel(1)], seeded(1), stop.signal)
  stop.abort(new Error('the kubelet ends'))
  await expect(selected).rejects.toThrow('the kubelet ends')
})

test('tick() fires at multiples of its period, and a tick that nobody took swallows the next', async () => {
  const clock = simulatedClock(start)
  const stop = new AbortController()
  const ticks = tick(clock, 10_000, stop.signal)
  const takenAt = async (ms: number) => {
    await clock.run(start + ms)
    return ticks.tryReceive()
  }
  expect(await takenAt(9_999)).toBeUndefined()
  expect(await takenAt(10_000)).toBe(1)
  // The ticks at 20 s and 30 s are one, and the next is not late.
  expect(await takenAt(37_000)).toBe(2)
  expect(await takenAt(39_999)).toBeUndefined()
  expect(await takenAt(40_000)).toBe(4)
  stop.abort()
  expect(await takenAt(90_000)).toBeUndefined()
})
