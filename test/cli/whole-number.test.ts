import {expect, test} from 'vitest'
import {parseWhole} from '../../src/cli/whole-number.ts'

test.for([
  ['0', 0],
  ['7', 7],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
] as const)('parseWhole() takes %s', ([text, value]) => {
  expect(parseWhole(text, '--seed', 0)).toBe(value)
})

test.for(['', '-1', '+1', '1.5', '1e3', '0x10', ' 1', '9007199254740992', '99999999999999999999', 'x', 'Infinity'])(
  'parseWhole() does not take %j',
  (text) => {
    expect(() => parseWhole(text, '--seed', 0)).toThrow(
      `Cannot use --seed as it must be a whole number from 0 to 9007199254740991: it is '${text}'`,
    )
  },
)

test('parseWhole() takes nothing below the least', () => {
  expect(() => parseWhole('0', '--runs', 1)).toThrow('from 1 to')
})
