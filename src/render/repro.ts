// A report of repro in the format that was asked for.
import type {ReproReport} from '../scenario/report.ts'
import {dataText} from './data.ts'
import type {ReproOutput} from './repro-output.ts'
import {reproTable} from './repro-table.ts'
import {timelinesText} from './repro-timelines.ts'
import {unbounded} from './wrap.ts'

/** @param columns of the terminal; only the table heeds them */
export async function renderRepro(report: ReproReport, output: ReproOutput, columns: number = unbounded): Promise<string> {
  switch (output) {
    case 'table':
      return `${reproTable(report, columns)}${timelinesText(report, columns)}`
    case 'json':
    case 'yaml':
      return await dataText(report, output)
    case 'junit':
      return (await import('./repro-junit.ts')).reproJunit(report)
    case 'tap':
      return (await import('./repro-tap.ts')).reproTap(report)
    case 'html':
      return (await import('./repro-html.ts')).reproHtml(report)
    default:
      return output satisfies never
  }
}
