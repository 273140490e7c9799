// Tables that look like crictl's, so that eyes and awk keep working.
import {oneLine} from './escaped.ts'
import {width} from './width.ts'

/** As crictl sets its tabwriter: a column is at least 20 wide, 3 of them are space. */
const narrowest = 20
const gap = 3

/** Cells are made oneLine here, and only here. The last column is not filled up. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, ...rows].map((row) => row.map(oneLine))
  const widths = header.map((_, column) => lines.reduce((widest, line) => Math.max(widest, width(line[column] ?? '') + gap), narrowest))
  return lines
    .map((line) => `${line.map((cell, column) => fill(cell, column === line.length - 1 ? 0 : (widths[column] ?? 0))).join('')}\n`)
    .join('')
}

function fill(cell: string, columns: number): string {
  return cell + ' '.repeat(Math.max(0, columns - width(cell)))
}
