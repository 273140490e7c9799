// What repro says to people: a row for each run, why below it, and the sum.
import type {CheckLook, ReproReport, RunReport, ScenarioReport} from '../scenario/report.ts'
import {oneLine} from './escaped.ts'
import {table} from './table.ts'

export function reproTable(report: ReproReport): string {
  const played = new Set(report.scenarios.flatMap(({runs}) => runs.map(({profile}) => profile)))
  const profiles = [...played].sort((a, b) => a.localeCompare(b, 'en', {numeric: true}))
  const rows = report.scenarios.map(({name, label, runs}) => [
    name,
    label,
    ...profiles.map((profile) => verdictWord(runs.find((run) => run.profile === profile))),
    runs.every(({met}) => met) ? 'yes' : 'NO',
  ])
  const head = table(['SCENARIO', 'LABEL', ...profiles.map((profile) => profile.toUpperCase()), 'AS EXPECTED'], rows)
  return `${head}\n${report.scenarios.map(whyText).join('\n')}\n${sumText(report)}\n`
}

const verdictWord = (run: RunReport | undefined): string => (run === undefined ? '-' : run.verdict)

function whyText({name, title, runs}: ScenarioReport): string {
  const lines = runs.map(({profile, verdict, why, met, expected, check}) => {
    const wrong = met ? '' : ` (must be ${expected})`
    return `  ${profile} ${verdict}${wrong}: ${oneLine(why)}\n${check === undefined ? '' : `    ${checkLine(check)}\n`}`
  })
  return `${name}: ${oneLine(title)}\n${lines.join('')}`
}

function checkLine({named, findings: [first, ...others]}: CheckLook): string {
  if (first === undefined) return 'check finds nothing'
  const worded = (found: readonly (typeof first)[]) => [...new Set(found.map(({code, severity}) => `${code} (${severity})`))].join(', ')
  if (!named) return `check finds ${worded([first, ...others])}, which is not it`
  return `check names it: ${first.code} ${oneLine(first.message)}`
}

function sumText({scenarios, metadata: {switches}}: ReproReport): string {
  const runs = scenarios.flatMap((scenario) => scenario.runs)
  const unmet = runs.filter(({met}) => !met).length
  const turned = switches.length === 0 ? '' : `, switches ${switches.join(',')}`
  const seeds = [...new Set(scenarios.map(({seed}) => seed))]
  const sum = unmet === 0 ? 'each as expected' : `${unmet} not as expected`
  return `${counted(scenarios.length, 'scenario')}, ${counted(runs.length, 'run')}: ${sum} (seed ${seeds.join(' or ')}${turned})`
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
