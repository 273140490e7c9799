// A report of repro as one HTML file that needs nothing else: the verdicts, and with -v the timelines side by side.
import type {ExpectationReport, ReproReport, RunReport, ScenarioReport} from '../scenario/report.ts'
import {toldOnce} from '../scenario/told-once.ts'
import {type ComparedRow, compareTimelines} from '../timeline/compare.ts'
import {rowNote, type TimelineRow} from '../timeline/compare-rows.ts'
import {escapedHtml, tag} from './html.ts'
import {answerLines} from './repro-answers.ts'
import {realText} from './repro-real.ts'

const style = `
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 100rem; padding: 0 1rem; color: #1c2733; background: #fff }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .25rem .6rem; vertical-align: top; border-bottom: 1px solid #dde3ea }
.met { color: #176b37 } .unmet { color: #b3261e; font-weight: 600 } .timeline td { font: 12px/1.4 ui-monospace, monospace; width: 50% }
.only { background: #fff6e0 } .first td { border-top: 3px solid #b3261e } .at { color: #66788a; white-space: pre } li.unheld { color: #b3261e }
@media (prefers-color-scheme: dark) { body { color: #d7dee6; background: #12181f } th, td { border-color: #2c3946 } .only { background: #33290f }
.met { color: #6fd08f } .unmet, li.unheld { color: #ff8a80 } }`

export function reproHtml(report: ReproReport): string {
  const {tool, seed, switches, real} = report.metadata
  const turned = switches.length === 0 ? '' : `, switches ${switches.join(', ')}`
  const body = [
    tag('h1', {}, 'kubelimbo repro'),
    tag('p', {}, escapedHtml(`${tool}, seed ${seed}${turned}${real === undefined ? '' : `, ${realText(real)}`}`)),
    ...report.scenarios.map(scenarioHtml),
  ]
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width">${tag('title', {}, 'kubelimbo repro')}${tag('style', {}, style)}`
  return `<!doctype html>\n<html lang="en"><head>${head}</head>\n<body>\n${body.join('\n')}\n</body></html>\n`
}

function scenarioHtml({name, label, title, why, issues, runs}: ScenarioReport): string {
  return [
    tag('h2', {id: name}, escapedHtml(`${name} (${label})`)),
    tag(
      'p',
      {},
      tag('b', {}, escapedHtml(title)),
      ' ',
      escapedHtml(why),
      ...issues.flatMap((issue, index) => [index === 0 ? ' ' : ', ', issueHtml(issue)]),
    ),
    tag('table', {}, tag('tr', {}, ...['Kubelet', 'Verdict', 'Why'].map((text) => tag('th', {}, text))), ...runs.map(runHtml)),
    ...comparisons(runs),
    ...runs.flatMap(answersHtml),
  ].join('\n')
}

function issueHtml(issue: string): string {
  const [, repository, number] = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(issue) ?? []
  const text = escapedHtml(issue)
  return number === undefined ? text : tag('a', {href: `https://github.com/${repository}/issues/${number}`}, text)
}

function runHtml({profile, verdict, expected, met, why, given, expectations}: RunReport): string {
  const word = met ? verdict : `${verdict} (must be ${expected})`
  const list = tag('ul', {}, ...[...given, ...expectations].map(expectationHtml))
  const details = tag('details', {}, tag('summary', {}, escapedHtml(why)), list)
  return tag(
    'tr',
    {},
    tag('td', {}, escapedHtml(profile)),
    tag('td', {class: met ? 'met' : 'unmet'}, escapedHtml(word)),
    tag('td', {}, details),
  )
}

function expectationHtml(each: ExpectationReport): string {
  return tag('li', each.held ? {} : {class: 'unheld'}, escapedHtml(`${each.held ? 'held' : 'not held'}: ${toldOnce(each)}`))
}

function comparisons([first, ...others]: readonly RunReport[]): readonly string[] {
  if (first?.timeline === undefined) return []
  const beside = others.length === 0 ? [{...first, timeline: []}] : others
  return beside.map((other) => {
    const {rows, firstDifference} = compareTimelines(first.timeline ?? [], other.timeline ?? [])
    const head = tag('tr', {}, ...[first, ...others.slice(0, 1).map(() => other)].map(({profile}) => tag('th', {}, escapedHtml(profile))))
    const lines = rows.map((row, index) => rowHtml(row, others.length > 0 && index === firstDifference))
    return tag('details', {open: ''}, tag('summary', {}, 'Timelines'), tag('table', {class: 'timeline'}, head, ...lines))
  })
}

function answersHtml(run: RunReport): readonly string[] {
  const lines = answerLines(run)
  if (lines.length === 0) return []
  const head = escapedHtml(`${run.profile}: what each answer of a driver left owed`)
  return [tag('details', {open: ''}, tag('summary', {}, head), tag('pre', {}, escapedHtml(lines.join('\n'))))]
}

function rowHtml({left, right}: ComparedRow, isFirst: boolean): string {
  const alone = left === undefined || right === undefined
  return tag('tr', isFirst ? {class: 'first'} : {}, cellHtml(left, alone), cellHtml(right, alone))
}

function cellHtml(row: TimelineRow | undefined, alone: boolean): string {
  if (row === undefined) return tag('td', {})
  const at = tag('span', {class: 'at'}, `${(row.at / 1000).toFixed(3).padStart(9)} `)
  return tag('td', alone ? {class: 'only'} : {}, at, escapedHtml(row.words + rowNote(row)))
}
