import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {decodeInteger, encodeInteger} from '../../src/http2/hpack-integer.ts'

describe('encodeInteger()', () => {
  // RFC 7541, C.1, and the edges of the prefix.
  test.each([
    [10, 5, [10]],
    [1337, 5, [31, 154, 10]],
    [42, 8, [42]],
    [30, 5, [30]],
    [31, 5, [31, 0]],
    [32, 5, [31, 1]],
    [127, 7, [127, 0]],
    [158, 5, [31, 127]],
    [159, 5, [31, 128, 1]],
    [0, 1, [0]],
    [1, 1, [1, 0]],
  ])('writes %i with a prefix of %i bits as %j', (value, prefix, bytes) => {
    expect(encodeInteger(value, prefix, 0)).toEqual(bytes)
    expect(decodeInteger({bytes: Buffer.from(bytes), at: 0}, prefix)).toBe(value)
  })

  test('writes what decodeInteger() reads, and leaves the bits before the prefix', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 28), fc.integer({min: 1, max: 8}), fc.nat(255), (value, prefix, bits) => {
        const first = bits & ~(2 ** prefix - 1) & 0xff
        const bytes = encodeInteger(value, prefix, first)
        expect((bytes[0] ?? 0) & ~(2 ** prefix - 1)).toBe(first)
        const cursor = {bytes: Buffer.from([...bytes, 0xff]), at: 0}
        expect(decodeInteger(cursor, prefix)).toBe(value)
        expect(cursor.at).toBe(bytes.length)
      }),
    )
  })
})
