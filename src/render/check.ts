// A report in the format that was asked for, and the exit code that goes with it.
import type {CheckReport} from '../findings/report.ts'
import type {Verdict} from '../findings/verdict.ts'
import type {CheckOutput} from './check-output.ts'
import {checkText} from './check-text.ts'
import {dataText} from './data.ts'

export interface Rendered {
  readonly text: string
  readonly exit: number
}

export async function renderCheck(report: CheckReport, verdict: Verdict, output: CheckOutput): Promise<Rendered> {
  const {exit} = verdict
  switch (output) {
    case 'table':
      return {text: `${checkText(report)}\n`, exit}
    case 'json':
    case 'yaml':
      return {text: await dataText(report, output), exit}
    case 'junit':
      return {text: (await import('./junit.ts')).junitText(report, verdict), exit}
    case 'prometheus':
      return {text: (await import('./prometheus.ts')).prometheusText(report, verdict), exit}
    case 'nagios':
      return (await import('./nagios.ts')).nagiosAnswer(report, verdict)
    case 'npd':
      return (await import('./npd.ts')).npdAnswer(report, verdict)
  }
}
