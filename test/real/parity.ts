// What two clients of one runtime print for the same flags, made comparable.
import {expect} from 'vitest'
import {parse} from 'yaml'

export type Client = (...args: readonly string[]) => Promise<string>

/** kubelimbo prints what crictl prints, in each format, and has columns of its own on the right only. */
export async function expectParity(crictl: Client, kubelimbo: Client, args: readonly string[]): Promise<void> {
  expect(JSON.parse(await kubelimbo(...args, '-o', 'json'))).toEqual(JSON.parse(await crictl(...args, '-o', 'json')))
  expect(parse(await kubelimbo(...args, '-o', 'yaml'))).toEqual(parse(await crictl(...args, '-o', 'yaml')))
  expect(await kubelimbo(...args, '-q')).toBe(await crictl(...args, '-q'))
  await expectTableParity(crictl, kubelimbo, args)
}

// A time such as '3 seconds ago' may tick between two runs: ours stands between two of crictl's.
async function expectTableParity(crictl: Client, kubelimbo: Client, args: readonly string[]): Promise<void> {
  const before = readTable(await crictl(...args))
  const ours = readTable(await kubelimbo(...args))
  const after = readTable(await crictl(...args))
  expect(ours.columns.slice(0, before.columns.length)).toEqual(before.columns)
  const rows = ours.rows.map((row, at) => {
    const cells = row.slice(0, before.columns.length)
    const created = before.columns.indexOf('CREATED')
    if (cells[created] === after.rows[at]?.[created]) cells[created] = before.rows[at]?.[created] ?? ''
    return cells
  })
  expect(rows).toEqual(before.rows)
}

interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Cut where the header's columns begin, since a cell may be empty. */
function readTable(text: string): Table {
  const [header = '', ...lines] = text.split('\n')
  const columns = [...header.matchAll(/\S+(?: \S+)*/g)]
  const cut = (line: string) => columns.map(({index}, at) => line.slice(index, columns[at + 1]?.index).trim())
  return {columns: columns.map(([name]) => name), rows: lines.filter((line) => line.trim() !== '').map(cut)}
}
