import fc from 'fast-check'
import {expect, test} from 'vitest'
import {countsOf, type KeyCounts, noKeys, withCounts} from '../../../src/faults/count/key-counts.ts'

test('withCounts() keeps the counts of each key, and changes none that it was given', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({maxLength: 3}), fc.nat()), {maxLength: 60}), (steps) => {
      const model = new Map<string, number>()
      let all: KeyCounts = noKeys
      for (const [key, seen] of steps) {
        const before = countsOf(all, key)
        const next = withCounts(all, key, {seen, taken: 0})
        expect(countsOf(all, key)).toBe(before)
        all = next
        model.set(key, seen)
      }
      for (const [key, seen] of model) expect(countsOf(all, key)).toEqual({seen, taken: 0})
    }),
  )
})

test('withCounts() forgets of very many keys those that were not seen for long', () => {
  let all: KeyCounts = noKeys
  const count = (key: string) => {
    all = withCounts(all, key, {seen: countsOf(all, key).seen + 1, taken: 0})
  }
  for (let index = 0; index < 40_000; index++) {
    count(`uid-${index}`)
    if (index % 50 === 0) count('always')
  }
  expect(all.reduce((sum, bucket) => sum + (bucket?.size ?? 0), 0)).toBeLessThanOrEqual(16_384)
  expect(countsOf(all, 'always').seen).toBe(800)
  expect(countsOf(all, 'uid-0').seen).toBe(0)
  expect(Array.from({length: 5000}, (_, index) => countsOf(all, `uid-${39_999 - index}`).seen)).toEqual(Array(5000).fill(1))
})
