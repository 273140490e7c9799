// Tables that look like crictl's, so that eyes and awk keep working.
import {oneLine} from './escaped.ts'
import {width} from './width.ts'

/** As crictl sets its tabwriter: a column is at least 20 wide, 3 of them are space. */
const narrowest = 20
const gap = 3

/** A cell that is wider pushes its own row aside and no other: most names have no more, and a terminal has not much more. */
export const widestCell = 60

/**
 * Cells are made oneLine here, and only here. The last column is not filled up.
 * @param widest cells above it do not widen their column; by default all do, as crictl's
 */
export function table(header: readonly string[], rows: readonly (readonly string[])[], widest = Number.POSITIVE_INFINITY): string {
  const lines = [header, ...rows].map((row) => row.map(oneLine))
  const widths = header.map((_, column) =>
    lines.reduce((most, line) => {
      const cell = width(line[column] ?? '')
      return cell > widest ? most : Math.max(most, cell + gap)
    }, narrowest),
  )
  return lines
    .map((line) => `${line.map((cell, column) => fill(cell, column === line.length - 1 ? 0 : (widths[column] ?? 0))).join('')}\n`)
    .join('')
}

function fill(cell: string, columns: number): string {
  return cell + ' '.repeat(columns === 0 ? 0 : Math.max(gap, columns - width(cell)))
}
