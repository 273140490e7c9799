// One line for Nagios and what follows its rules (nagios-plugins.org/doc/guidelines.html): 'STATE - text | perfdata'.
import {atLeast, severities} from '../findings/finding.ts'
import type {CheckReport} from '../findings/report.ts'
import type {Verdict} from '../findings/verdict.ts'
import {cutToBytes} from './cut.ts'
import {oneLine} from './escaped.ts'
import {blindText, calmText, countText, worstOf} from './verdict-text.ts'

/** In the order of their exit codes. */
const states = ['OK', 'WARNING', 'CRITICAL', 'UNKNOWN'] as const
type State = (typeof states)[number]

export interface PluginAnswer {
  readonly text: string
  readonly exit: number
}

/** NRPE before 3.0 hands on 1023 bytes, and the performance data is last. */
const mostBytes = 1000

export function nagiosAnswer(report: CheckReport, verdict: Verdict): PluginAnswer {
  return answer(stateOf(verdict), textOf(report, verdict), perfdata(report))
}

/** Nobody looked at the node: neither it nor the service is in trouble. */
export function nagiosUnknown(why: string): PluginAnswer {
  return answer('UNKNOWN', why, '')
}

function stateOf({failing, blind}: Verdict): State {
  const [worst] = failing
  if (worst !== undefined) return atLeast(worst.severity, 'error') ? 'CRITICAL' : 'WARNING'
  return blind.length > 0 ? 'UNKNOWN' : 'OK'
}

function textOf(report: CheckReport, verdict: Verdict): string {
  const worst = worstOf(verdict.failing)
  if (worst !== undefined) return `${countText(verdict.failing)}: ${worst.code} ${worst.name}: ${worst.message}`
  return verdict.blind.length > 0 ? blindText(verdict) : calmText(report, verdict)
}

/** What is known from a baseline is counted apart: it alarms nobody. */
function perfdata({findings, metadata, unseen}: CheckReport): string {
  const news = findings.filter(({known}) => !known)
  const counts = [
    ...severities.map((severity) => [severity, news.filter((each) => each.severity === severity).length] as const),
    ...(metadata.baseline === undefined ? [] : [['known', findings.length - news.length] as const]),
    ['unseen', unseen.length] as const,
  ]
  // value;warn;crit;min: the thresholds are --fail-on's, not numbers.
  return ` | ${counts.map(([label, count]) => `'${label}'=${count};;;0`).join(' ')}`
}

function answer(state: State, text: string, data: string): PluginAnswer {
  // The first bar ends the text, wherever it comes from.
  const said = `${state} - ${oneLine(text).replaceAll('|', '¦')}`
  return {text: `${cutToBytes(said, mostBytes - data.length)}${data}\n`, exit: states.indexOf(state)}
}
