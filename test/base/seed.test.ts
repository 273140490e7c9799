import {expect, test} from 'vitest'
import {isSeed} from '../../src/base/seed.ts'

test.each([0, 1, 2 ** 32, Number.MAX_SAFE_INTEGER])('isSeed() takes %d', (seed) => {
  expect(isSeed(seed)).toBe(true)
})

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('isSeed() refuses %d', (seed) => {
  expect(isSeed(seed)).toBe(false)
})
