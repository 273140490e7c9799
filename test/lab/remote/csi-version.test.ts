import {expect, test} from 'vitest'
import {compareVersions, highestSupportedVersion} from '../../../src/lab/remote/csi-version.ts'

test.for([
  [['1.0.0'], [1, 0, 0]],
  [
    ['v1.2.0', '1.10.0', '1.9.9'],
    [1, 10, 0],
  ],
  [
    ['0.3.0', '1.0.0', '2.0.0', 'nonsense'],
    [1, 0, 0],
  ],
  [['1.5.0-rc1'], [1, 5, 0]],
] as const)('highestSupportedVersion() of %j is %j', ([versions, expected]) => {
  expect(highestSupportedVersion(versions)).toEqual(expected)
})

test.for([
  [['0.3.0'], 'highest supported version reported by driver is 0.3.0, must be v1.x'],
  [['2.0.0'], 'could not find a highest supported version from versions ([2.0.0]) reported by this driver'],
  [[], 'could not find a highest supported version from versions ([]) reported by this driver'],
] as const)('highestSupportedVersion() of %j throws', ([versions, message]) => {
  expect(() => highestSupportedVersion(versions)).toThrow(message)
})

test('compareVersions() counts numbers, and what is not there as 0', () => {
  expect(compareVersions([1, 10], [1, 9])).toBeGreaterThan(0)
  expect(compareVersions([1], [1, 0, 1])).toBeLessThan(0)
  expect(compareVersions([1, 0], [1])).toBe(0)
})
