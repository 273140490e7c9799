// A report in the format that was asked for.
import type {CheckReport} from '../findings/report.ts'
import {checkText} from './check-text.ts'
import {dataText} from './data.ts'

export async function renderCheck(report: CheckReport, output: 'table' | 'json' | 'yaml'): Promise<string> {
  return output === 'table' ? `${checkText(report)}\n` : dataText(report, output)
}
