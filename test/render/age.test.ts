import {describe, expect, test} from 'vitest'
import {ageOf, humanDuration} from '../../src/render/age.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

describe('humanDuration()', () => {
  // The values that docker/go-units gives.
  test.for([
    [-5 * day, 'Less than a second'],
    [450, 'Less than a second'],
    [1999, '1 second'],
    [47 * second, '47 seconds'],
    [minute, 'About a minute'],
    [3 * minute, '3 minutes'],
    [29 * minute + 59 * second, '29 minutes'],
    [35 * minute, '35 minutes'],
    [hour, 'About an hour'],
    [hour + 45 * minute, '2 hours'],
    [47 * hour, '47 hours'],
    [2 * day, '2 days'],
    [13 * day + 23 * hour, '13 days'],
    [14 * day, '2 weeks'],
    [59 * day, '8 weeks'],
    [60 * day, '2 months'],
    [729 * day, '24 months'],
    [730 * day, '2 years'],
    [56 * 365 * day, '56 years'],
    [400 * 365 * day, '292 years'],
  ] as const)('says of %d ms: %s', ([ms, words]) => {
    expect(humanDuration(ms)).toBe(words)
  })
})

describe('ageOf()', () => {
  const now = Date.parse('2026-11-30T00:00:00Z')

  test.for([
    [BigInt(now - 3000) * 1_000_000n, '3 seconds ago'],
    [0n, '56 years ago'],
    // Seconds where nanoseconds should be.
    [1_764_000_000n, '56 years ago'],
    // Go's zero time, which runtimes write for 'never'.
    [-6_795_364_578_871_345_152n, '272 years ago'],
    [9_223_372_036_854_775_807n, 'Less than a second ago'],
    [-9_223_372_036_854_775_808n, '292 years ago'],
  ] as const)('says of %d: %s', ([createdAt, words]) => {
    expect(ageOf(createdAt, now)).toBe(words)
  })
})
