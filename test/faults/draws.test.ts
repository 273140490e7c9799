import {expect, test} from 'vitest'
import {drawsOf} from '../../src/faults/draws.ts'

const draws = (seed: number, rule: string, count: number) =>
  Array.from({length: count}, (_, index) => drawsOf(seed)(rule, index + 1, 'probability'))

test('drawsOf() gives the same numbers for the same seed, whatever else was drawn', () => {
  const draw = drawsOf(7)
  draw('other', 1, 'before')
  expect([3, 1, 2].map((nth) => draw('r', nth, 'probability'))).toEqual([3, 1, 2].map((nth) => drawsOf(7)('r', nth, 'probability')))
})

test('drawsOf() gives other numbers to another seed, rule, call and use', () => {
  const all = [1, 2].flatMap((seed) =>
    ['a', 'b'].flatMap((rule) =>
      [1, 2].flatMap((nth) => (['probability', 'before', 'after'] as const).map((what) => drawsOf(seed)(rule, nth, what))),
    ),
  )
  expect(new Set(all).size).toBe(all.length)
})

test.each([
  [1, 'a'],
  [2, 'stage-hang'],
  [123_456_789_012, 'r'],
])('drawsOf(%d) draws evenly for %s, and one after the other independently', (seed, rule) => {
  const all = draws(seed, rule, 4000)
  const tenths = all.reduce(
    (counts, value) => counts.with(Math.floor(value * 10), (counts[Math.floor(value * 10)] ?? 0) + 1),
    Array<number>(10).fill(0),
  )
  // Chi-squared of nine degrees of freedom: 27.9 at one in a thousand.
  expect(tenths.reduce((sum, count) => sum + (count - 400) ** 2 / 400, 0)).toBeLessThan(27.9)
  const same = all.filter((value, index) => index > 0 && value < 0.5 === (all[index - 1] ?? 0) < 0.5).length
  expect(Math.abs(same - 2000)).toBeLessThan(110)
})

test('drawsOf() draws evenly over seeds, too', () => {
  const low = Array.from({length: 2000}, (_, seed) => drawsOf(seed)('r', 1, 'probability')).filter((value) => value < 0.1).length
  expect(Math.abs(low - 200)).toBeLessThan(50)
})
