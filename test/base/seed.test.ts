import {expect, test} from 'vitest'
import {isSeed, parseSeed} from '../../src/base/seed.ts'

test.each([0, 1, 2 ** 32, Number.MAX_SAFE_INTEGER])('parseSeed() has %d as it is written', (seed) => {
  expect(isSeed(seed)).toBe(true)
  expect(parseSeed(`${seed}`, '--seed')).toBe(seed)
})

test.each(['9007199254740992', '9007199254740993', '-1', '1.5', '1e3', '0x10', '', ' 7', 'x', 'Infinity'])(
  'parseSeed() refuses %j',
  (text) => {
    expect(() => parseSeed(text, '--seed')).toThrow(
      `Cannot use --seed as it must be a whole number from 0 to 9007199254740991: it is '${text}'`,
    )
  },
)
