// What repro says to people: the verdicts at a glance, then each scenario with why, and the sum.
import type {CheckLook, ExpectationReport, ReproReport, RunReport, ScenarioReport} from '../scenario/report.ts'
import {toldOnce} from '../scenario/told-once.ts'
import {oneLine} from './escaped.ts'
import {realText} from './repro-real.ts'
import {switchSentence} from './repro-switched.ts'
import {verdictTable} from './repro-verdicts.ts'
import {wrap} from './wrap.ts'

export function reproTable(report: ReproReport, columns: number): string {
  const scenarios = report.scenarios.map((scenario) => `${scenarioLines(scenario, report, columns).join('\n')}\n`)
  return `${verdictTable(report, columns)}\n${scenarios.join('\n')}\n${wrap(sumText(report), columns, 2).join('\n')}\n`
}

function scenarioLines({name, label, title, runs}: ScenarioReport, report: ReproReport, columns: number): readonly string[] {
  return [...wrap(oneLine(`${name} (${label}): ${title}`), columns, 2), ...runs.flatMap((run) => runLines(run, report, columns))]
}

function runLines(run: RunReport, report: ReproReport, columns: number): readonly string[] {
  const {profile, verdict, why, met, expected, check} = run
  const switched = switchSentence(run, report)
  const wrong = met || switched !== undefined ? '' : ` (must be ${expected})`
  return [
    ...wrap(`  ${profile} ${verdict}${wrong}: ${switched ?? oneLine(why)}`, columns, 4),
    ...(switched === undefined ? [] : wrap(`    ${oneLine(why)}`, columns, 6)),
    ...moreUnheld(run).flatMap(({what}) => wrap(`    nor this: ${oneLine(what)}`, columns, 6)),
    ...(check === undefined ? [] : wrap(`    ${checkLine(check)}`, columns, 6)),
  ]
}

/** But the one that the verdict tells of. */
function moreUnheld({met, why, given, expectations}: RunReport): readonly ExpectationReport[] {
  return met ? [] : [...given, ...expectations].filter((each) => !each.held && !why.startsWith(toldOnce(each)))
}

function checkLine({named, findings: [first, ...others]}: CheckLook): string {
  if (first === undefined) return 'check finds nothing'
  const worded = (found: readonly (typeof first)[]) => [...new Set(found.map(({code, severity}) => `${code} (${severity})`))].join(', ')
  if (!named) return `check finds ${worded([first, ...others])}, which is not it`
  return `check names it: ${first.code} ${oneLine(first.message)}`
}

function sumText(report: ReproReport): string {
  const {scenarios, metadata} = report
  const runs = scenarios.flatMap((scenario) => scenario.runs)
  const unmet = runs.filter(({met}) => !met)
  const switched = unmet.filter((run) => switchSentence(run, report) !== undefined).length
  const turned = metadata.switches.length === 0 ? '' : `, switches ${metadata.switches.join(',')}`
  const seeds = [...new Set(scenarios.map(({seed}) => seed))]
  const cause =
    switched === 0 ? '' : switched === unmet.length ? ' of its version, as the switches make it' : ` (${switched} as the switches make it)`
  const real = metadata.real === undefined ? '' : `, ${realText(metadata.real)}`
  const sum = unmet.length === 0 ? 'each as expected' : `${unmet.length} not as expected${cause}`
  return `${counted(scenarios.length, 'scenario')}, ${counted(runs.length, 'run')}: ${sum} (seed ${seeds.join(' or ')}${turned}${real})`
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
