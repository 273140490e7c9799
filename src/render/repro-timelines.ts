// The timelines of two kubelets side by side, or one below the other where there is no room; of one alone, when there is no other.
import type {ReproReport, RunReport, ScenarioReport} from '../scenario/report.ts'
import {type ComparedRow, compareTimelines} from '../timeline/compare.ts'
import {rowNote, type TimelineRow, timelineRows} from '../timeline/compare-rows.ts'
import {oneLine} from './escaped.ts'
import {answerLines} from './repro-answers.ts'
import {width} from './width.ts'
import {unbounded, wrap} from './wrap.ts'

/** Of one side: fewer cannot be read. */
const leastSide = 60
/** Of one side, when nobody says how wide a line may be. */
const usualSide = 76
const timeColumns = 10
const noTime = ' '.repeat(timeColumns)

export function timelinesText({scenarios}: ReproReport, columns: number): string {
  return scenarios.map((scenario) => scenarioText(scenario, columns)).join('')
}

/** The first run beside each of the others. */
function scenarioText({name, runs}: ScenarioReport, columns: number): string {
  const [first, ...others] = runs
  if (first?.timeline === undefined) return ''
  const owed = runs.map((run) => owedText(run, columns)).join('')
  if (others.length === 0) {
    const lines = timelineRows(first.timeline).flatMap((row) => wrap(cell(row), columns, timeColumns + 3))
    return `\n${name} on ${first.profile}\n\n${lines.join('\n')}\n${owed}`
  }
  const side = columns === unbounded ? usualSide : Math.floor((columns - 5) / 2)
  const compared = (other: RunReport) => (side < leastSide ? oneBelowTheOther(first, other, columns) : sideBySide(first, other, side))
  return others.map((other) => `\n${name}\n\n${compared(other)}`).join('') + owed
}

function owedText(run: RunReport, columns: number): string {
  const lines = answerLines(run).flatMap((line) => wrap(line, columns, timeColumns + 3))
  return lines.length === 0 ? '' : `\n  ${run.profile}: what each answer of a driver left owed\n${lines.join('\n')}\n`
}

function sideBySide(left: RunReport, right: RunReport, side: number): string {
  const {rows, firstDifference} = compareTimelines(left.timeline ?? [], right.timeline ?? [])
  const fill = (text: string) => text + ' '.repeat(Math.max(0, side - width(text)))
  const lines = rows.flatMap((row, index) => {
    const [one, other] = [row.left, row.right].map((each) => (each === undefined ? [] : wrap(cell(each), side, timeColumns + 3)))
    return Array.from({length: Math.max(one?.length ?? 0, other?.length ?? 0)}, (_, line) => {
      const mark = line === 0 && index === firstDifference ? '>' : ' '
      return `${mark} ${fill(one?.[line] ?? '')} ${signOf(row)} ${other?.[line] ?? ''}`.trimEnd()
    })
  })
  const head = `  ${fill(`${left.profile}: ${left.verdict}`)}   ${right.profile}: ${right.verdict}`
  const legend =
    firstDifference === undefined
      ? '  no difference'
      : `  | both, < only the left one, > only the right one; > in front: the first difference`
  return `${head}\n${legend}\n\n${lines.join('\n')}\n`
}

/** A column of moments for each: what only one has, has one moment. */
function oneBelowTheOther(left: RunReport, right: RunReport, columns: number): string {
  const {rows, firstDifference} = compareTimelines(left.timeline ?? [], right.timeline ?? [])
  const lines = rows.flatMap((row, index) => {
    const said = row.left ?? row.right
    const text = said === undefined ? '' : `${oneLine(said.words)}${rowNote(said)}`
    const moments = `${row.left === undefined ? noTime : moment(row.left)} ${row.right === undefined ? noTime : moment(row.right)}`
    return wrap(`${index === firstDifference ? '>' : ' '}${moments} ${signOf(row)} ${text}`, columns, 2 * timeColumns + 7)
  })
  const head = ` ${left.profile.padStart(timeColumns)} ${right.profile.padStart(timeColumns)}`
  const verdicts = `  ${left.profile}: ${left.verdict}, ${right.profile}: ${right.verdict}`
  const marks = `  | both, < only ${left.profile}, > only ${right.profile}; > in front: the first difference`
  const legend = firstDifference === undefined ? ['  no difference'] : wrap(marks, columns, 2)
  return `${[verdicts, ...legend, '', head, ...lines].join('\n')}\n`
}

const signOf = ({left, right}: ComparedRow): string => (left === undefined ? '>' : right === undefined ? '<' : '|')

const cell = (row: TimelineRow): string => `${moment(row)} ${oneLine(row.words)}${rowNote(row)}`

const moment = ({at}: TimelineRow): string => (at / 1000).toFixed(3).padStart(timeColumns)
