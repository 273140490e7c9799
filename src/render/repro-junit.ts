// JUnit's XML of repro, to the same schemas as that of check: a suite for each scenario, a test for each kubelet.
import {formatInstant} from '../base/instant.ts'
import {start} from '../scenario/play.ts'
import type {ReproReport, RunReport, ScenarioReport} from '../scenario/report.ts'
import {toldOnce} from '../scenario/told-once.ts'
import {oneLine} from './escaped.ts'
import {realText} from './repro-real.ts'
import {element, xmlDocument} from './xml.ts'

export function reproJunit(report: ReproReport): string {
  return xmlDocument(
    element(
      'testsuites',
      {},
      report.scenarios.map((scenario, index) => suiteXml(scenario, index, report)),
    ),
  )
}

function suiteXml(
  {name, label, title, issues, runs}: ScenarioReport,
  index: number,
  {metadata: {tool, seed, switches, real}}: ReproReport,
): string {
  const errors = runs.filter(({verdict}) => verdict === 'inconclusive').length
  const failures = runs.filter(({met}) => !met).length - errors
  const attributes = {
    name: `kubelimbo repro ${name}`,
    package: 'kubelimbo',
    id: `${index}`,
    // That of the run: it knows no other. Neither a zone nor a fraction is allowed.
    timestamp: formatInstant(start).slice(0, 19),
    hostname: 'localhost',
    tests: `${runs.length}`,
    failures: `${failures}`,
    errors: `${errors}`,
    skipped: '0',
    time: '0',
  }
  const properties = {
    label,
    title,
    issues: issues.join(' '),
    tool,
    seed: `${seed}`,
    switches: switches.join(','),
    ...(real && {real: realText(real)}),
  }
  return element('testsuite', attributes, [
    element(
      'properties',
      {},
      Object.entries(properties).map(([key, value]) => element('property', {name: key, value: oneLine(value)})),
    ),
    ...runs.map((run) => caseXml(name, run)),
    element('system-out', {}, ''),
    element('system-err', {}, ''),
  ])
}

function caseXml(scenario: string, run: RunReport): string {
  const {profile, verdict, expected, met, why} = run
  const message = oneLine(`${verdict}, and it must be ${expected}: ${why}`)
  const kind = verdict === 'inconclusive' ? 'error' : 'failure'
  const result = met ? [] : [element(kind, {type: verdict, message}, details(run))]
  return element('testcase', {classname: `kubelimbo.repro.${scenario}`, name: `${expected} on ${profile}`, time: '0'}, result)
}

function details({given, expectations}: RunReport): string {
  return [...given, ...expectations].map((each) => oneLine(`${each.held ? 'held' : 'NOT HELD'}: ${toldOnce(each)}`)).join('\n')
}
