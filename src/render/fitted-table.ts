// A table that is no wider than its content, nor than the terminal: cells that do not fit go on below.
import {oneLine} from './escaped.ts'
import {width} from './width.ts'
import {wrap} from './wrap.ts'

const gap = 2

/** A column that is made narrower keeps so many, so that words stay words. */
const narrowest = 12

/** Cells are made oneLine here, and only here. */
export function fittedTable(header: readonly string[], rows: readonly (readonly string[])[], columns: number): string {
  const lines = [header, ...rows].map((row) => row.map(oneLine))
  const widths = fittedWidths(naturalWidths(lines), columns)
  return lines.flatMap((row) => rowLines(row, widths)).join('')
}

/** How wide the table is when it has all the room that it wants. */
export function naturalWidth(header: readonly string[], rows: readonly (readonly string[])[]): number {
  return total(naturalWidths([header, ...rows].map((row) => row.map(oneLine))))
}

function naturalWidths([header = [], ...rows]: readonly (readonly string[])[]): readonly number[] {
  return header.map((name, column) => rows.reduce((most, row) => Math.max(most, width(row[column] ?? '')), width(name)))
}

const total = (widths: readonly number[]): number => widths.reduce((sum, each) => sum + each + gap, -gap)

/** The widest gives until all have room, or none has more to give. */
function fittedWidths(natural: readonly number[], columns: number): readonly number[] {
  const widths = [...natural]
  for (let over = total(widths) - columns; over > 0; over--) {
    const most = Math.max(...widths)
    if (most <= narrowest) break
    widths[widths.lastIndexOf(most)] = most - 1
  }
  return widths
}

function rowLines(row: readonly string[], widths: readonly number[]): readonly string[] {
  const cells = row.map((cell, column) => wrap(cell, widths[column] ?? 0))
  const height = Math.max(...cells.map((cell) => cell.length))
  return Array.from({length: height}, (_, line) => {
    const texts = cells.map((cell, column) => fill(cell[line] ?? '', widths[column] ?? 0))
    return `${texts.join(' '.repeat(gap)).trimEnd()}\n`
  })
}

const fill = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - width(text)))
