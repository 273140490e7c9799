import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {table} from '../../src/render/table.ts'
import {width} from '../../src/render/width.ts'

describe('table()', () => {
  test("looks like crictl's: at least 20 wide, 3 of them space, the last column as it is", async () => {
    expect(table(['A', 'B', 'C'], [['1', 'a name that is longer than that', 'x']])).toBe(
      ['A                   B                                 C\n', '1                   a name that is longer than that   x\n'].join(''),
    )
  })

  test('shows what a terminal would obey', async () => {
    expect(table(['A'], [['\u001b[31mred\u0007\n\u009b1m\u202eevil']])).toBe('A\n\\x1b[31mred\\x07\\n\\x9b1m\\u202eevil\n')
  })

  test('aligns wide characters and marks', async () => {
    const lines = table(
      ['A', 'B'],
      [
        ['漢字', 'x'],
        ['e\u0301', 'x'],
        ['🙂', 'x'],
      ],
    ).split('\n')
    expect(lines.map((line) => width(line.slice(0, line.lastIndexOf('x'))))).toEqual([expect.any(Number), 20, 20, 20, 0])
  })

  test('puts every cell of a column at the same place, whatever is in it', async () => {
    const cell = fc.string({unit: 'binary', maxLength: 30})
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), {minLength: 1}), (rows) => {
        const lines = table(
          ['ONE', 'TWO', 'END'],
          rows.map(([one, two]) => [one, two, '|']),
        )
          .trimEnd()
          .split('\n')
        expect(lines).toHaveLength(rows.length + 1)
        expect(new Set(lines.slice(1).map((line) => width(line.slice(0, -1)))).size).toBe(1)
      }),
    )
  })

  test('does not fill up every row to the width of one long cell, and keeps its columns apart', async () => {
    const [long, limit] = ['n'.repeat(255), 'm'.repeat(60)]
    const rows = (...names: string[]) =>
      table(
        ['A', 'B'],
        names.map((name) => [name, 'x']),
        60,
      )
    expect(rows(long, 'a')).toBe(`A${' '.repeat(19)}B\n${long}   x\na${' '.repeat(19)}x\n`)
    expect(rows(limit, 'a')).toBe(`A${' '.repeat(62)}B\n${limit}   x\na${' '.repeat(62)}x\n`)
    expect(rows(`${limit}m`).split('\n')[0]).toBe(`A${' '.repeat(19)}B`)
  })

  test('takes ten thousand rows', async () => {
    expect(
      table(
        ['A', 'B'],
        Array.from({length: 10_000}, (_, index) => [`${index}`, 'x']),
      ).split('\n'),
    ).toHaveLength(10_002)
  })
})
