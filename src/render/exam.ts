// A report of exam in the format that was asked for.
import type {ExamReport} from '../scenario/exam-report.ts'
import {dataText} from './data.ts'
import {examTable} from './exam-table.ts'
import {unbounded} from './wrap.ts'

export const examOutputs = ['table', 'json', 'yaml', 'junit'] as const
export type ExamOutput = (typeof examOutputs)[number]

/** @param columns of the terminal; only the table heeds them */
export async function renderExam(report: ExamReport, output: ExamOutput, columns: number = unbounded): Promise<string> {
  switch (output) {
    case 'table':
      return examTable(report, columns)
    case 'json':
    case 'yaml':
      return await dataText(report, output)
    case 'junit':
      return (await import('./exam-junit.ts')).examJunit(report)
    default:
      return output satisfies never
  }
}
