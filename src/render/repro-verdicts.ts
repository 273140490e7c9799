// The verdicts at a glance: a row a scenario, a column a kubelet. Where there is no room for the words, shorter ones, and what they mean.
import type {ReproReport, RunReport, ScenarioReport} from '../scenario/report.ts'
import {fittedTable, naturalWidth} from './fitted-table.ts'
import {switchWord} from './repro-switched.ts'
import {wrap} from './wrap.ts'

export function verdictTable(report: ReproReport, columns: number): string {
  const {scenarios} = report
  const played = new Set(scenarios.flatMap(({runs}) => runs.map(({profile}) => profile)))
  const profiles = [...played].sort((a, b) => a.localeCompare(b, 'en', {numeric: true}))
  const verdicts = ({runs}: ScenarioReport, wordOf: (run: RunReport) => string) =>
    profiles.map((profile) => {
      const run = runs.find((each) => each.profile === profile)
      return run === undefined ? '-' : wordOf(run)
    })
  const table = (wordOf: (run: RunReport) => string, isWhole: boolean): Shape => ({
    header: ['SCENARIO', ...(isWhole ? ['LABEL'] : []), ...profiles, ...(isWhole ? ['AS EXPECTED'] : [])],
    rows: scenarios.map((scenario) => [
      scenario.name,
      ...(isWhole ? [scenario.label] : []),
      ...verdicts(scenario, wordOf),
      ...(isWhole ? [metWord(scenario, report)] : []),
    ]),
  })
  // The label and what is as expected are said below, too.
  const shapes = [table(({verdict}) => verdict, true), table(shortWord, true), table(shortWord, false)]
  const {header, rows} = shapes.find((shape) => naturalWidth(shape.header, shape.rows) <= columns) ?? (shapes.at(-1) as Shape)
  const notes = [...legend(rows.flat()), ...unobserved(report)].flatMap((note) => wrap(note, columns, 2))
  return `${fittedTable(header, rows, columns)}${notes.length === 0 ? '' : `\n${notes.join('\n')}\n`}`
}

interface Shape {
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

function metWord({runs}: ScenarioReport, report: ReproReport): string {
  const unmet = runs.filter(({met}) => !met)
  const [word, ...others] = new Set(unmet.map((run) => switchWord(run, report)))
  if (unmet.length === 0) return 'yes'
  return word === undefined || others.length > 0 ? 'NO' : `NO: ${word}`
}

const shortWord = ({verdict}: RunReport): string => shortWords[verdict]

const shortWords: Readonly<Record<RunReport['verdict'], string>> = {
  reproduced: 'bug',
  fixed: 'fixed',
  'not reproduced': 'no bug!',
  'not fixed': 'bug!',
  inconclusive: '?!',
}

const meanings: Readonly<Record<string, string>> = {
  bug: 'reproduced',
  'no bug!': 'not reproduced as it must be',
  'bug!': 'not fixed as it must be',
  '?!': 'inconclusive',
  '-': 'not played',
}

/** Of what is in the table and does not say it by itself. */
function legend(cells: readonly string[]): readonly string[] {
  const said = Object.entries(meanings).filter(([word]) => cells.includes(word))
  return said.length === 0 ? [] : [said.map(([word, meaning]) => `${word}: ${meaning}`).join(', ')]
}

function unobserved({scenarios}: ReproReport): readonly string[] {
  const runs = scenarios.flatMap((scenario) => scenario.runs)
  const profiles = [...new Set(runs.flatMap(({observed, profile}) => (observed ? [] : [profile])))].sort()
  if (profiles.length === 0) return []
  return [
    `timings of ${new Intl.ListFormat('en').format(profiles)} are unobserved: they follow the sources, no real kubelet of that version was watched`,
  ]
}
