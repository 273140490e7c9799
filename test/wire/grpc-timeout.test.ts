import {expect, test} from 'vitest'
import {parseGrpcTimeout} from '../../src/wire/grpc-timeout.ts'

test.each([
  ['1H', 3_600_000],
  ['2M', 120_000],
  ['3S', 3000],
  ['119994m', 119_994],
  ['1500u', 1.5],
  ['2000000n', 2],
  ['0m', 0],
  ['99999999S', 99_999_999_000],
])('parseGrpcTimeout() takes %s for %d ms', (text, ms) => {
  expect(parseGrpcTimeout(text)).toBeCloseTo(ms, 9)
})

test.each(['', '1', 'm', '1x', '-1m', '1.5S', '123456789m', ' 1m', '1mm'])('parseGrpcTimeout() takes %j for none', (text) => {
  expect(parseGrpcTimeout(text)).toBeNaN()
})
