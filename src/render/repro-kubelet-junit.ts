// JUnit's XML of repro --kubelet: a suite for each kubelet, a test for each scenario. To have the bug is to fail; what is inconclusive is an error.
import type {KubeletReport, KubeletRunReport, KubeletScenarioReport} from '../scenario/kubelet-report.ts'
import {oneLine} from './escaped.ts'
import {element, xmlDocument} from './xml.ts'

export function reproKubeletJunit(report: KubeletReport): string {
  const suites = report.kubelets.map((_, index) => suiteXml(report, index))
  return xmlDocument(element('testsuites', {}, suites))
}

function suiteXml({kubelets, scenarios, metadata: {tool}}: KubeletReport, index: number): string {
  const {path = '', version = ''} = kubelets[index] ?? {}
  const count = (wanted: KubeletRunReport['verdict']) => scenarios.filter(({runs}) => runs[index]?.verdict === wanted).length
  const attributes = {
    name: oneLine(`kubelimbo repro --kubelet ${path}`),
    package: 'kubelimbo',
    id: `${index}`,
    // The schemas want one; a report has none.
    timestamp: '1970-01-01T00:00:00',
    hostname: 'localhost',
    tests: `${scenarios.length}`,
    failures: `${count('has the bug')}`,
    errors: `${count('inconclusive')}`,
    skipped: '0',
    time: '0',
  }
  const properties = Object.entries({tool, kubelet: path, version}).map(([name, value]) =>
    element('property', {name, value: oneLine(value)}),
  )
  return element('testsuite', attributes, [
    element('properties', {}, properties),
    ...scenarios.map((scenario) => caseXml(scenario, version, scenario.runs[index])),
    element('system-out', {}, ''),
    element('system-err', {}, ''),
  ])
}

function caseXml({name, title}: KubeletScenarioReport, version: string, run: KubeletRunReport | undefined): string {
  const attributes = {classname: `kubelimbo.repro.${name}`, name: oneLine(`${title} (${version})`), time: '0'}
  if (run === undefined || run.verdict === 'does not have it') return element('testcase', attributes, [])
  const kind = run.verdict === 'inconclusive' ? 'error' : 'failure'
  const details = [
    ...run.given.map(({held, what, why}) => `given, ${held ? 'held' : 'NOT HELD'}: ${what}: ${why}`),
    ...run.like.flatMap(({of, verdict, expectations}) =>
      expectations.map(({held, what, why}) => `${verdict} on ${of}, ${held ? 'held' : 'NOT HELD'}: ${what}: ${why}`),
    ),
    ...(run.log ?? []),
  ]
  const message = oneLine(`${run.verdict}: ${run.why}`)
  return element('testcase', attributes, [element(kind, {type: run.verdict, message}, details.map(oneLine).join('\n'))])
}
