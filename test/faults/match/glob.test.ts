import fc from 'fast-check'
import {expect, test} from 'vitest'
import {isLike} from '../../../src/faults/match/glob.ts'

const word = fc.string({unit: fc.constantFrom('a', 'b', '*', '.', '/'), maxLength: 8})

test('isLike() takes what a regular expression with .* for * takes', () => {
  fc.assert(
    fc.property(word, word, (text, pattern) => {
      const source = pattern
        .split('*')
        .map((part) => part.replace(/[.*/]/g, '\\$&'))
        .join('.*')
      expect(isLike(text, pattern)).toBe(new RegExp(`^${source}$`, 's').test(text))
    }),
    {numRuns: 2000},
  )
})

test('isLike() of a pattern with many * is done at once', () => {
  const before = performance.now()
  expect(isLike('a'.repeat(100_000), `${'*a'.repeat(200)}*b`)).toBe(false)
  expect(performance.now() - before).toBeLessThan(1000)
})
