// What exam says to people: the verdicts at a glance, then what decided each that was not passed, with the calls, and the sum.
import type {ExamCall, ExamCase, ExamReport} from '../scenario/exam-report.ts'
import {oneLine} from './escaped.ts'
import {fittedTable} from './fitted-table.ts'
import {wrap} from './wrap.ts'

export function examTable({metadata, cases}: ExamReport, columns: number): string {
  const {driver, version, endpoint, kubelet, scale} = metadata
  const head = `${driver} ${version} at ${endpoint}, asked by kubelet ${kubelet}${scale === 1 ? '' : `, ${scale} times as fast as it is`}`
  const rows = cases.map(({name, volumeMode, verdict, title}) => [name, volumeMode, verdict, oneLine(title)])
  const unmet = cases.filter(({verdict}) => verdict !== 'passed')
  return [
    ...wrap(oneLine(head), columns, 2),
    '',
    fittedTable(['CASE', 'MODE', 'VERDICT', 'WHAT IT IS ABOUT'], rows, columns),
    ...unmet.flatMap((each) => [...caseLines(each, columns), '']),
    ...wrap(sumText(cases), columns, 2),
    '',
  ].join('\n')
}

function caseLines({name, volumeMode, verdict, because, why, expectations, calls}: ExamCase, columns: number): readonly string[] {
  const unheld = expectations.filter((each) => !each.held && !because.includes(each.why))
  return [
    ...wrap(oneLine(`${name} (${volumeMode}) ${verdict}: ${because}`), columns, 2),
    ...(verdict === 'not tried' ? [] : wrap(`  ${oneLine(why)}`, columns, 4)),
    ...unheld.flatMap((each) => wrap(`  nor this: ${oneLine(`${each.what}: ${each.why}`)}`, columns, 4)),
    ...calls.slice(0, mostCalls).flatMap((call) => wrap(`  ${oneLine(callWords(call))}`, columns, 13)),
    ...(calls.length > mostCalls ? [`  and ${calls.length - mostCalls} calls more, which -o json has`] : []),
  ]
}

const mostCalls = 30

function callWords({at, method, outcome, took, fault}: ExamCall): string {
  const time = took === undefined || took === 0 ? '' : ` (${(took / 1000).toFixed(3)} s)`
  return `${(at / 1000).toFixed(3).padStart(9)} ${method} -> ${outcome}${time}${fault === undefined ? '' : ` [${fault}]`}`
}

function sumText(cases: readonly ExamCase[]): string {
  const counts = (['passed', 'failed', 'inconclusive', 'not tried'] as const).map((verdict) => {
    const count = cases.filter((each) => each.verdict === verdict).length
    return count === 0 ? [] : [`${count} ${verdict}`]
  })
  return `${cases.length} ${cases.length === 1 ? 'case' : 'cases'}: ${counts.flat().join(', ')}`
}
