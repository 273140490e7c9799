// JUnit's XML, to the stricter of two schemas where they differ: windyroad's (Ant) and that of Jenkins' xunit plugin.
import type {Detector, Unseen} from '../findings/detector.ts'
import {detectors} from '../findings/detectors.ts'
import type {Finding} from '../findings/finding.ts'
import type {CheckReport} from '../findings/report.ts'
import type {Verdict} from '../findings/verdict.ts'
import {profileNearest} from '../kubelet/profiles.ts'
import {oneLine} from './escaped.ts'
import {findingText, subjectText} from './finding-text.ts'
import {blindText} from './verdict-text.ts'
import {element, xmlDocument} from './xml.ts'

interface TestCase {
  readonly name: string
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped'
  readonly xml: string
}

export function junitText(report: CheckReport, verdict: Verdict): string {
  const {node, when, tool, baseline} = report.metadata
  const cases = [seenCase(report, verdict), ...detectors.flatMap((detector) => casesOf(detector, report, verdict))]
  const count = (outcome: TestCase['outcome']) => `${cases.filter((each) => each.outcome === outcome).length}`
  const milder = report.findings.filter((finding) => !verdict.failing.includes(finding))
  const suite = {
    name: 'kubelimbo check',
    package: 'kubelimbo',
    id: '0',
    // Neither a zone nor a fraction is allowed.
    timestamp: when.slice(0, 19),
    hostname: oneLine(node).trim() || 'localhost',
    tests: `${cases.length}`,
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: '0',
  }
  const properties = {node, when, tool, 'fail-on': verdict.failOn, partial: `${report.partial}`, ...(baseline && {baseline: baseline.when})}
  return xmlDocument(
    element('testsuites', {}, [
      element('testsuite', suite, [
        element(
          'properties',
          {},
          Object.entries(properties).map(([name, value]) => element('property', {name, value: oneLine(value)})),
        ),
        ...cases.map(({xml}) => xml),
        element('system-out', {}, milder.map(findingText).join('\n\n')),
        element('system-err', {}, ''),
      ]),
    ]),
  )
}

/** Nothing found by whoever could not look is an error, not a success. */
function seenCase({unseen}: CheckReport, verdict: Verdict): TestCase {
  const name = 'every source was seen'
  if (verdict.blind.length > 0)
    return testCase(name, 'error', {type: 'blind', message: oneLine(blindText(verdict))}, unseenText(unseen, '\n'))
  if (unseen.length > 0) return testCase(name, 'skipped', {message: unseenText(unseen, '; ')})
  return testCase(name, 'passed')
}

/** Readers take one failure of a test, and one of the schemas allows no more: so each finding that fails is a test. */
function casesOf(detector: Detector, {looked, unseen}: CheckReport, {failing}: Verdict): readonly TestCase[] {
  const title = `${detector.code} ${detector.name}`
  const found = failing.filter(({code}) => code === detector.code)
  if (found.length > 0) {
    return found.map((finding) => testCase(`${title}: ${subjectText(finding.subject)}`, 'failure', failureOf(finding), wholeText(finding)))
  }
  if (looked.includes(detector.code)) return [testCase(title, 'passed')]
  return [testCase(title, 'skipped', {message: unseenText(missing(detector, unseen), '; ')})]
}

/** What it needs and nothing gave; else what it could not conclude from, which is among the rest. */
function missing({needs}: Detector, unseen: readonly Unseen[]): readonly Unseen[] {
  const given = (name: string) => unseen.every(({source}) => source !== name)
  const lacking = needs(profileNearest(undefined)).filter((group) => !group.some(given))
  return lacking.length === 0 ? unseen : unseen.filter(({source}) => lacking.flat().some((name) => name === source))
}

function unseenText(unseen: readonly Unseen[], separator: string): string {
  return unseen.map(({source, why}) => oneLine(`${source}: ${why}`)).join(separator)
}

function failureOf({severity, message}: Finding): Readonly<Record<string, string>> {
  return {type: severity, message: oneLine(message)}
}

function wholeText(finding: Finding): string {
  return [findingText(finding), ...finding.links.map((link) => `  ${link}`)].join('\n')
}

function testCase(name: string, outcome: TestCase['outcome'], attributes: Readonly<Record<string, string>> = {}, text = ''): TestCase {
  const result = outcome === 'passed' ? [] : [element(outcome, attributes, text)]
  return {name, outcome, xml: element('testcase', {classname: 'kubelimbo.check', name, time: '0'}, result)}
}
