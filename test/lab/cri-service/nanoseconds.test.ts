import {expect, test} from 'vitest'
import {nanoseconds} from '../../../src/lab/cri-service/nanoseconds.ts'

test.each<[number, bigint]>([
  [0, 0n],
  [1, 1_000_000n],
  [0.5, 500_000n],
  [1_796_052_607_500, 1_796_052_607_500_000_000n],
  [1_796_052_607_500.25, 1_796_052_607_500_250_000n],
  [-0.25, -250_000n],
])('nanoseconds(%d) is %d', (ms, expected) => {
  expect(nanoseconds(ms)).toBe(expected)
})
