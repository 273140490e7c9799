// The timelines of two kubelets side by side; of one alone, when there is no other.
import type {ReproReport, RunReport, ScenarioReport} from '../scenario/report.ts'
import {type ComparedRow, compareTimelines} from '../timeline/compare.ts'
import {rowNote, type TimelineRow, timelineRows} from '../timeline/compare-rows.ts'
import {oneLine} from './escaped.ts'
import {answerLines} from './repro-answers.ts'
import {width} from './width.ts'

/** Of one side. */
const columns = 76

export function timelinesText({scenarios}: ReproReport): string {
  return scenarios.map(scenarioText).join('')
}

/** The first run beside each of the others. */
function scenarioText({name, runs}: ScenarioReport): string {
  const [first, ...others] = runs
  if (first?.timeline === undefined) return ''
  const owed = runs.map(owedText).join('')
  if (others.length === 0) return `\n${name} on ${first.profile}\n\n${timelineRows(first.timeline).map(cell).join('\n')}\n${owed}`
  return others.map((other) => `\n${name}\n\n${sideBySide(first, other)}`).join('') + owed
}

function owedText(run: RunReport): string {
  const lines = answerLines(run)
  return lines.length === 0 ? '' : `\n  ${run.profile}: what each answer of a driver left owed\n${lines.join('\n')}\n`
}

function sideBySide(left: RunReport, right: RunReport): string {
  const {rows, firstDifference} = compareTimelines(left.timeline ?? [], right.timeline ?? [])
  const lines = rows.flatMap((row, index) => rowText(row, index === firstDifference ? '>' : ' '))
  const head = `  ${fill(`${left.profile}: ${left.verdict}`)}   ${right.profile}: ${right.verdict}`
  const same = firstDifference === undefined ? '\n  no difference\n' : '\n'
  return `${head}\n${lines.join('\n')}${same}`
}

/** What is too long goes on below. */
function rowText({left, right}: ComparedRow, mark: string): readonly string[] {
  const [one, other] = [wrapped(left), wrapped(right)]
  const sign = left === undefined ? '>' : right === undefined ? '<' : '|'
  return Array.from({length: Math.max(one.length, other.length)}, (_, index) =>
    `${index === 0 ? mark : ' '} ${fill(one[index] ?? '')} ${sign} ${other[index] ?? ''}`.trimEnd(),
  )
}

function wrapped(row: TimelineRow | undefined): readonly string[] {
  if (row === undefined) return []
  const lines: string[] = []
  for (const word of cell(row).split(' ').flatMap(pieces)) {
    const last = lines.at(-1)
    if (last !== undefined && width(last) + 1 + width(word) <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(lines.length === 0 ? word : `${' '.repeat(timeColumns + 1)}${word}`)
  }
  return lines
}

const timeColumns = 10

/** A path may be longer than a line. */
const pieces = (word: string): readonly string[] => word.match(/.{1,64}(?=\/|$)|.{1,64}/gu) ?? [word]

const cell = (row: TimelineRow): string => `${(row.at / 1000).toFixed(3).padStart(timeColumns)} ${oneLine(row.words)}${rowNote(row)}`

const fill = (text: string): string => text + ' '.repeat(Math.max(0, columns - width(text)))
