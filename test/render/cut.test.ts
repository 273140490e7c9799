import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {cutToBytes} from '../../src/render/cut.ts'

const bytes = (text: string) => Buffer.byteLength(text)

describe('cutToBytes()', () => {
  test.each([
    ['what fits', 'abcdef', 6, 'abcdef'],
    ['what is one byte longer', 'abcdefg', 6, 'abc…'],
    ['blanks at the end', 'ab  cdefgh', 7, 'ab…'],
    ['two bytes each', 'éééééé', 8, 'éé…'],
    ['an emoji of four bytes that is half in', 'abc😀def', 9, 'abc…'],
    ['an emoji of four bytes that is just in', 'abc😀def', 10, 'abc😀def'],
    ['a family, whole or not at all', '👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 40, '👩‍👩‍👧‍👦…'],
    ['an accent that stands apart', 'aaae\u0301bbb', 7, 'aaa…'],
  ])('cutToBytes() cuts %s', (_what, text, most, cut) => {
    expect(cutToBytes(text, most)).toBe(cut)
  })

  test('cutToBytes() keeps to the limit and to the beginning of the text', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary', maxLength: 200}), fc.integer({min: 3, max: 100}), (text, most) => {
        const cut = cutToBytes(text, most)
        expect(bytes(cut)).toBeLessThanOrEqual(most)
        expect(cut === text || (cut.endsWith('…') && text.startsWith(cut.slice(0, -1)))).toBe(true)
        expect(cut.isWellFormed()).toBe(true)
      }),
    )
  })
})
