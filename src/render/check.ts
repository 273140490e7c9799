// A report in the format that was asked for.
import type {CheckReport} from '../findings/report.ts'
import {checkText} from './check-text.ts'
import {escapedJson} from './escaped.ts'

export async function renderCheck(report: CheckReport, output: 'table' | 'json' | 'yaml'): Promise<string> {
  switch (output) {
    case 'table':
      return `${checkText(report)}\n`
    case 'json':
      return `${escapedJson(JSON.stringify(report, null, 2))}\n`
    case 'yaml': {
      const {yaml} = await import('./yaml.ts')
      return yaml(JSON.parse(JSON.stringify(report)))
    }
    default:
      return output satisfies never
  }
}
