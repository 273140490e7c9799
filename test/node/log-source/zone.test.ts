import {describe, expect, test} from 'vitest'
import {parseKubeletLog} from '../../../src/node/kubelet-log.ts'
import {inUtc, zoneShown} from '../../../src/node/log-source/zone.ts'

const hour = 3_600_000

describe('zoneShown()', () => {
  test.for<[line: string, ahead: number | undefined]>([
    ['2026-11-30T03:09:00+0000 n kubelet[1]: I1130 03:09:00.000000 1 a.go:1] x', 0],
    ['2026-11-30T03:09:00+0000 n kubelet[1]: I1130 04:09:00.000000 1 a.go:1] x', hour],
    ['2026-11-30T03:09:00-05:00 n kubelet[1]: I1130 03:08:59.000000 1 a.go:1] x', -5 * hour],
    ['2026-11-30T03:09:00Z stderr F I1130 08:54:00.000000 1 a.go:1] x', 5.75 * hour],
    // Around New Year, in both directions.
    ['2026-12-31T23:09:00+0000 n kubelet[1]: I0101 09:09:00.000000 1 a.go:1] x', 10 * hour],
    ['2027-01-01T01:09:00+0000 n kubelet[1]: I1231 17:09:00.000000 1 a.go:1] x', -8 * hour],
    ['I1130 03:09:00.000000 1 a.go:1] x', undefined],
    ['', undefined],
  ])('of %s is %d ms', ([line, ahead]) => {
    expect(zoneShown(line)).toBe(ahead)
  })
})

describe('inUtc()', () => {
  const near = Date.parse('2027-01-01T00:10:00Z')
  const log = [
    '2027-01-01T00:05:00+0000 n kubelet[1]: E0101 05:35:00.123456    2082 a.go:1] failed at E0101 05:35:00.1',
    'I1231 23:59:59.000000       1 b.go:22] "older" x=<',
    '\tI am no header: 0101 05:35:00',
    ' >',
  ].join('\n')

  test('makes a log that reads the same without its zone', () => {
    const zoneOffset = 5.5 * hour
    const text = inUtc(log, zoneOffset, near)
    expect(text.split('\n')[0]).toBe(
      '2027-01-01T00:05:00+0000 n kubelet[1]: E0101 00:05:00.123456    2082 a.go:1] failed at E0101 05:35:00.1',
    )
    expect(parseKubeletLog(text, {near})).toEqual(parseKubeletLog(log, {near, zoneOffset}))
  })

  test('leaves a log in UTC alone', () => {
    expect(inUtc(log, 0, near)).toBe(log)
  })
})
