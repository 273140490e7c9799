// The two tables of RFC 7541, against digests of them that were made from another implementation's (golang.org/x/net/http2/hpack).
import {createHash} from 'node:crypto'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {huffmanDecode, huffmanEncode, huffmanLength} from '../../src/http2/huffman.ts'
import {huffmanCodes} from '../../src/http2/huffman-code.ts'
import {staticNameNumber, staticNumber, staticTable} from '../../src/http2/static-table.ts'

const digest = (lines: readonly string[]) => createHash('sha256').update(lines.join('\n')).digest('hex')

test('huffmanCodes are those of RFC 7541, Appendix B', () => {
  expect(huffmanCodes.slice(0, 2).concat(huffmanCodes.slice(255))).toEqual([
    {code: 0x1ff8, length: 13},
    {code: 0x7fffd8, length: 23},
    {code: 0x3ffffee, length: 26},
    {code: 0x3fffffff, length: 30},
  ])
  const lines = huffmanCodes.map(({code, length}) => `${code.toString(16)}/${length}`)
  expect(digest(lines)).toBe('4a6f20eb60d04159d433951278c61ce8ae6acdabcb6c881996f937a7c038da17')
})

test('staticTable is that of RFC 7541, Appendix A', () => {
  expect(staticTable).toHaveLength(61)
  const lines = staticTable.map(({name, value}) => `${name}=${value}`)
  expect(digest(lines)).toBe('4d3e8d480c28061dbe9615865116499cdf577899c522cb24733528125906f726')
})

test.each([
  [':authority', '', 1, 1],
  [':method', 'POST', 3, 2],
  [':method', 'PUT', undefined, 2],
  ['www-authenticate', '', 61, 61],
  ['grpc-status', '0', undefined, undefined],
])('staticNumber() of %s: %s is %s, by name %s', (name, value, number, byName) => {
  expect(staticNumber(name, value)).toBe(number)
  expect(staticNameNumber(name)).toBe(byName)
})

describe('huffmanDecode()', () => {
  test('is the inverse of huffmanEncode(), whose length is huffmanLength()', () => {
    fc.assert(
      fc.property(fc.uint8Array({maxLength: 200}), (bytes) => {
        const coded = huffmanEncode(bytes)
        expect(coded.length).toBe(huffmanLength(bytes))
        expect(huffmanDecode(coded)).toEqual(Buffer.from(bytes))
      }),
    )
  })

  test('knows each symbol', () => {
    for (let symbol = 0; symbol < 256; symbol++) expect(huffmanDecode(huffmanEncode(Uint8Array.of(symbol)))).toEqual(Buffer.of(symbol))
  })

  test('takes only bytes that are the code of something', () => {
    fc.assert(
      fc.property(fc.uint8Array({maxLength: 12}), (coded) => {
        const decoded = huffmanDecode(coded)
        if (decoded) expect(huffmanEncode(decoded)).toEqual(Buffer.from(coded))
      }),
      {numRuns: 3000},
    )
  })
})
