// JUnit's XML of exam, to the same schemas as that of check: one suite for the driver, a test for each case and mode.
import {formatInstant} from '../base/instant.ts'
import type {ExamCase, ExamReport} from '../scenario/exam-report.ts'
import {start} from '../scenario/play.ts'
import {oneLine} from './escaped.ts'
import {element, xmlDocument} from './xml.ts'

export function examJunit({metadata, cases}: ExamReport): string {
  const count = (verdict: ExamCase['verdict']) => `${cases.filter((each) => each.verdict === verdict).length}`
  const attributes = {
    name: 'kubelimbo exam',
    package: 'kubelimbo',
    id: '0',
    timestamp: formatInstant(start).slice(0, 19),
    hostname: 'localhost',
    tests: `${cases.length}`,
    failures: count('failed'),
    errors: count('inconclusive'),
    skipped: count('not tried'),
    time: '0',
  }
  const properties = Object.entries(metadata).map(([name, value]) => element('property', {name, value: oneLine(`${value}`)}))
  return xmlDocument(
    element('testsuites', {}, [
      element('testsuite', attributes, [
        element('properties', {}, properties),
        ...cases.map(caseXml),
        element('system-out', {}, ''),
        element('system-err', {}, ''),
      ]),
    ]),
  )
}

function caseXml(each: ExamCase): string {
  return element('testcase', {name: `${each.name} ${each.volumeMode}`, classname: 'kubelimbo.exam', time: '0'}, resultOf(each))
}

function resultOf({verdict, because, why, calls}: ExamCase): readonly string[] {
  const message = oneLine(because)
  if (verdict === 'passed') return []
  if (verdict === 'not tried') return [element('skipped', {message}, '')]
  const lines = calls.map(({at, method, outcome, fault}) => `${at} ms ${method} -> ${outcome}${fault === undefined ? '' : ` [${fault}]`}`)
  return [element(verdict === 'failed' ? 'failure' : 'error', {type: verdict, message}, [why, ...lines].map(oneLine).join('\n'))]
}
