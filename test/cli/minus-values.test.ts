import {expect, test} from 'vitest'
import {withMinusValues} from '../../src/cli/minus-values.ts'

test.each([
  [
    ['repro', '--switch', '-orphans-emptied'],
    ['repro', '--switch', ' -orphans-emptied'],
  ],
  [['--switch=-volume-wait-cut,+stage-once'], ['--switch= -volume-wait-cut,+stage-once']],
  [
    ['--switch', '+stage-once', '-o', 'json'],
    ['--switch', '+stage-once', '-o', 'json'],
  ],
  [
    ['--switch', '--seed', '1'],
    ['--switch', '--seed', '1'],
  ],
  [
    ['--switch', '-o', 'json'],
    ['--switch', '-o', 'json'],
  ],
  [
    ['--', '--switch', '-stage-once'],
    ['--', '--switch', '-stage-once'],
  ],
])('withMinusValues() makes of %j %j', (argv, expected) => {
  expect(withMinusValues(argv)).toEqual(expected)
})
