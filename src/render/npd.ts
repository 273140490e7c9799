// One line for a custom plugin of node-problem-detector, which makes a condition's message of it and cuts it at 80 bytes.
import type {CheckReport} from '../findings/report.ts'
import type {Verdict} from '../findings/verdict.ts'
import {cutToBytes} from './cut.ts'
import {oneLine} from './escaped.ts'
import type {PluginAnswer} from './nagios.ts'
import {blindText, calmText, worstOf} from './verdict-text.ts'

const exits = {ok: 0, problem: 1, unknown: 2} as const

/** max_output_length, if nobody sets it. */
const mostBytes = 80

export function npdAnswer(report: CheckReport, verdict: Verdict): PluginAnswer {
  const worst = worstOf(verdict.failing)
  if (worst === undefined) return verdict.blind.length > 0 ? npdUnknown(blindText(verdict)) : answer('ok', calmText(report, verdict))
  const more = verdict.failing.length - 1
  return answer('problem', `${worst.code}${more === 0 ? '' : ` and ${more} more`}: ${worst.message}`)
}

/** Nobody looked at the node. */
export function npdUnknown(why: string): PluginAnswer {
  return answer('unknown', why)
}

function answer(state: keyof typeof exits, text: string): PluginAnswer {
  return {text: `${cutToBytes(oneLine(text), mostBytes)}\n`, exit: exits[state]}
}
