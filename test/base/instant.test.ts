import fc from 'fast-check'
import {expect, test} from 'vitest'
import {formatInstant, readInstant} from '../../src/base/instant.ts'

test('formatInstant() and readInstant() give each moment of RFC 3339 back', () => {
  const moment = fc.integer({min: Date.parse('0000-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59Z')})
  fc.assert(fc.property(moment, (ms) => readInstant(formatInstant(ms)) === ms))
})

test.each([
  [Number.MAX_VALUE, '9999-12-31T23:59:59Z'],
  [8.64e15, '9999-12-31T23:59:59Z'],
  [-9e18, '0000-01-01T00:00:00Z'],
  [Number.NEGATIVE_INFINITY, '0000-01-01T00:00:00Z'],
])('formatInstant() of %d, which no text can tell, is the nearest that one can', (ms, text) => {
  expect(formatInstant(ms)).toBe(text)
})
