import {expect, test} from 'vitest'
import {age, humanDuration} from '../../../src/lab/api/human-duration.ts'

const [minute, hour, day] = [60, 3600, 86_400]

// From duration_test.go in apimachinery, and the borders between its lines.
test.each([
  [-2, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [1, '1s'],
  [119, '119s'],
  [120, '2m'],
  [125, '2m5s'],
  [10 * minute - 1, '9m59s'],
  [10 * minute, '10m'],
  [3 * hour - 1, '179m'],
  [3 * hour, '3h'],
  [3 * hour + 9 * minute, '3h9m'],
  [8 * hour, '8h'],
  [2 * day - 1, '47h'],
  [2 * day, '2d'],
  [2 * day + hour, '2d1h'],
  [8 * day, '8d'],
  [2 * 365 * day - 1, '729d'],
  [2 * 365 * day, '2y'],
  [2 * 365 * day + day, '2y1d'],
  [8 * 365 * day, '8y'],
])('humanDuration() of %i s is %s', (seconds, text) => {
  expect(humanDuration(seconds * 1000)).toBe(text)
})

test('age() of no moment is unknown', () => {
  expect(age(undefined, 0)).toBe('<unknown>')
  expect(age('1970-01-01T00:00:10Z', 12_000)).toBe('2s')
})
