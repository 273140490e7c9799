import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {width} from '../../src/render/width.ts'
import {unbounded, wrap} from '../../src/render/wrap.ts'

describe('wrap()', () => {
  test.for<[string, number, number, readonly string[]]>([
    ['short', 10, 0, ['short']],
    ['some words that go on', 10, 0, ['some words', 'that go on']],
    ['some words that go on', 10, 2, ['some words', '  that go', '  on']],
    ['  1.17.3 fixed: it is', 12, 4, ['  1.17.3', '    fixed:', '    it is']],
    ['/var/lib/kubelet/pods', 12, 0, ['/var/lib', '/kubelet', '/pods']],
    ['restart-between-unpublish', 12, 0, ['restart-', 'between-', 'unpublish']],
    ['abcdefghij', 4, 0, ['abcd', 'efgh', 'ij']],
    ['日本 日本 日本', 9, 0, ['日本 日本', '日本']],
  ])('breaks %j at %i columns, indented by %i', ([text, columns, hang, lines]) => {
    expect(wrap(text, columns, hang)).toEqual(lines)
  })

  test('breaks nothing where nobody knows how wide', () => {
    expect(wrap('a '.repeat(1000), unbounded)).toHaveLength(1)
  })

  test('keeps to the columns and loses no character, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({maxLength: 200}), fc.integer({min: 10, max: 100}), fc.integer({min: 0, max: 6}), (text, columns, hang) => {
        const lines = wrap(text, columns, hang)
        const bare = (each: string) => each.replaceAll(' ', '')
        return lines.every((line) => width(line.trimEnd()) <= columns) && bare(lines.join('')) === bare(text)
      }),
    )
  })
})
