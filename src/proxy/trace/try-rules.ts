// Rules on a recording: how many of its calls each would have had, and of how many nobody can tell.
import {type CountedRule, counted, decide, isInForce} from '../../faults/decide.ts'
import type {Draw} from '../../faults/draws.ts'
import type {Rule} from '../../faults/rule.ts'
import type {RecordedCall} from './recorded-calls.ts'
import {recordedMatch, withUnset} from './recorded-match.ts'

export interface TriedRule {
  readonly seen: number
  readonly taken: number
  /** Calls that it may have had: what it or a rule before it goes by is not in the recording. */
  readonly unknown: number
}

export interface TriedRules {
  readonly rules: readonly TriedRule[]
  /** Calls without their requests, of which some rule would have to know them. */
  readonly undecoded: number
}

export function tryRules(rules: readonly Rule[], calls: readonly RecordedCall[], draw: Draw): TriedRules {
  const unknown = rules.map(() => 0)
  let standing = counted(rules, calls[0]?.at ?? 0)
  let undecoded = 0
  for (const recorded of calls) {
    const each = withUnset(recorded)
    const {at, call, decoded} = each
    const may = standing.map((rule) => (isAsked(rule, at) ? recordedMatch(rule.rule, each) : 'no'))
    const first = may.indexOf('unknown')
    const certain = first === -1 ? standing : standing.slice(0, first)
    const decision = decide(certain, call, {at, draw})
    standing = first === -1 ? decision.rules : [...decision.rules, ...standing.slice(first)]
    if (first === -1 || decision.rule !== undefined) continue
    if (!decoded) undecoded++
    // That one may have taken it from those behind it.
    for (const [index, it] of may.entries()) if (index >= first && it !== 'no') unknown[index] = (unknown[index] ?? 0) + 1
  }
  return {rules: standing.map(({seen, taken}, index) => ({seen, taken, unknown: unknown[index] ?? 0})), undecoded}
}

const isAsked = (rule: CountedRule, at: number): boolean => rule.rule.fault.socket === undefined && isInForce(rule, {at})
