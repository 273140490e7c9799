import {describe, expect, test} from 'vitest'
import {fittedTable, naturalWidth} from '../../src/render/fitted-table.ts'

const header = ['A', 'NAME', 'WHY']
const rows = [
  ['1', 'some', 'a reason of many words'],
  ['22', '\u001b[31m', 'short'],
]

describe('fittedTable()', () => {
  test('is as narrow as its content, and shows escapes as text', () => {
    expect(fittedTable(header, rows, 80).split('\n')).toEqual([
      'A   NAME      WHY',
      '1   some      a reason of many words',
      '22  \\x1b[31m  short',
      '',
    ])
    expect(naturalWidth(header, rows)).toBe(36)
  })

  test('lets the widest column go on below', () => {
    expect(fittedTable(header, rows, 30).split('\n')).toEqual([
      'A   NAME      WHY',
      '1   some      a reason of many',
      '              words',
      '22  \\x1b[31m  short',
      '',
    ])
  })

  test('lets the column that is named go on below', () => {
    const wide = [['1', 'some name of words', 'a reason of many words']]
    expect(fittedTable(header, wide, 38, 1).split('\n').slice(1)).toEqual(['1  some name of  a reason of many words', '   words', ''])
  })
})
