// TAP (https://testanything.org): a test for each run, its expectations in a YAML block. It names version 13, since TAP::Harness (prove) refuses a
// later one; all that is used here is the same in version 14, whose readers take 13.
import type {ReproReport, RunReport, ScenarioReport} from '../scenario/report.ts'
import {toldOnce} from '../scenario/told-once.ts'
import {oneLine} from './escaped.ts'
import {realText} from './repro-real.ts'

export function reproTap({scenarios, metadata: {seed, switches, real}}: ReproReport): string {
  const runs = scenarios.flatMap((scenario) => scenario.runs.map((run) => ({scenario, run})))
  const tests = runs.flatMap(({scenario, run}, index) => testLines(scenario, run, index + 1))
  const turned = switches.length === 0 ? '' : `, switches ${switches.join(',')}`
  const parts = real === undefined ? [] : [`# ${oneLine(realText(real))}`]
  return `${['TAP version 13', `1..${runs.length}`, `# seed ${seed}${turned}`, ...parts, ...tests].join('\n')}\n`
}

function testLines({name, label}: ScenarioReport, run: RunReport, number: number): readonly string[] {
  const {met, profile, verdict, expected, why, given, expectations} = run
  const point = `${met ? 'ok' : 'not ok'} ${number} - ${description(`${name} (${label}) on ${profile}: ${verdict}`)}`
  const unheld = [...given, ...expectations].filter(({held}) => !held)
  return [
    point,
    '  ---',
    `  expected: ${quoted(expected)}`,
    `  verdict: ${quoted(verdict)}`,
    `  message: ${quoted(why)}`,
    ...(met
      ? []
      : ['  severity: fail', ...(unheld.length === 0 ? [] : ['  unheld:', ...unheld.map((each) => `    - ${quoted(toldOnce(each))}`)])]),
    '  ...',
  ]
}

/** A # would begin a directive. */
const description = (text: string): string => oneLine(text).replace(/[\\#]/g, '\\$&')

/** A string of JSON is one of YAML. */
const quoted = (text: string): string => JSON.stringify(oneLine(text))
