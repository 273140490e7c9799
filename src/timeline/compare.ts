// Two timelines side by side: what both have stands on one row, and the first difference is known.
import {type TimelineRow, timelineRows} from './compare-rows.ts'
import type {Event} from './event.ts'

export interface ComparedRow {
  readonly left?: TimelineRow
  readonly right?: TimelineRow
}

export interface Comparison {
  readonly rows: readonly ComparedRow[]
  /** Of the first row that only one has, or whose ends differ; undefined when both did the same. */
  readonly firstDifference: number | undefined
}

/** So far ahead a row is looked for on the other side. */
const horizon = 60

/** Moments may differ a little where both do the same: rows are paired by their words. */
export function compareTimelines(left: readonly Event[], right: readonly Event[]): Comparison {
  const rows = paired(timelineRows(left), timelineRows(right))
  const first = rows.findIndex((row) => row.left === undefined || row.right === undefined)
  return {rows, firstDifference: first === -1 ? undefined : first}
}

function paired(left: readonly TimelineRow[], right: readonly TimelineRow[]): readonly ComparedRow[] {
  const rows: ComparedRow[] = []
  let [i, j] = [0, 0]
  for (;;) {
    const [one, other] = [left[i], right[j]]
    if (one === undefined || other === undefined) break
    if (one.words === other.words) {
      rows.push({left: one, right: other})
      i++
      j++
      continue
    }
    const [onlyLeft, onlyRight] = apart(left, right, i, j)
    const end: readonly [number, number] = [i + onlyLeft, j + onlyRight]
    rows.push(...byTime(left.slice(i, end[0]), right.slice(j, end[1])))
    ;[i, j] = end
  }
  return [...rows, ...left.slice(i).map((row) => ({left: row})), ...right.slice(j).map((row) => ({right: row}))]
}

/** How many rows each side has until they meet again, as few as can be. */
function apart(left: readonly TimelineRow[], right: readonly TimelineRow[], i: number, j: number): readonly [number, number] {
  for (let sum = 1; sum < 2 * horizon; sum++) {
    for (let one = Math.max(0, sum - horizon); one <= Math.min(sum, horizon); one++) {
      const [a, b] = [left[i + one], right[j + sum - one]]
      if (a !== undefined && b !== undefined && a.words === b.words) return [one, sum - one]
    }
  }
  return [Math.min(horizon, left.length - i), Math.min(horizon, right.length - j)]
}

function byTime(left: readonly TimelineRow[], right: readonly TimelineRow[]): readonly ComparedRow[] {
  const all = [...left.map((row) => ({at: row.at, cell: {left: row}})), ...right.map((row) => ({at: row.at, cell: {right: row}}))]
  return all.sort((a, b) => a.at - b.at).map(({cell}) => cell)
}
