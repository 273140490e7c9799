// A table that is no wider than its content, nor than the terminal: cells that do not fit go on below.
import {oneLine} from './escaped.ts'
import {width} from './width.ts'
import {wrap} from './wrap.ts'

const gap = 2

/** A column that is made narrower keeps so many, so that words stay words. */
const narrowest = 12

/**
 * Cells are made oneLine here, and only here.
 * @param gives the column that is made narrower where there is no room; by default whichever is the widest
 */
export function fittedTable(header: readonly string[], rows: readonly (readonly string[])[], columns: number, gives?: number): string {
  const lines = [header, ...rows].map((row) => row.map(oneLine))
  const widths = fittedWidths(naturalWidths(lines), columns, gives)
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

/** Until all have room, or there is no more to give. */
function fittedWidths(natural: readonly number[], columns: number, gives: number | undefined): readonly number[] {
  const widths = [...natural]
  for (let over = total(widths) - columns; over > 0; over--) {
    const giver = gives ?? widths.lastIndexOf(Math.max(...widths))
    const has = widths[giver] ?? 0
    if (has <= narrowest) break
    widths[giver] = has - 1
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
