// Which rule has a part in a call, and so what happens to it. Pure: the counts go in and come out.
import {type Plan, passed} from './plan.ts'
import type {Match, MatchedCall, Rule} from './rule.ts'

/** A rule with how many calls have matched it that no rule before it took. */
export interface CountedRule {
  readonly rule: Rule
  readonly seen: number
}

export interface Decision {
  readonly plan: Plan
  /** Absent: the call passes. */
  readonly rule?: Rule
  /** The same array when no count changed. */
  readonly rules: readonly CountedRule[]
}

export const counted = (rules: readonly Rule[]): readonly CountedRule[] => rules.map((rule) => ({rule, seen: 0}))

/**
 * The first rule that matches and has not run out takes the call. A rule that lets it pass, by `skip` or as its limit is reached, leaves it to
 * the next; those after the one that took it have not seen it: of two rules for one method with limit 1, the first call has the first one, the second
 * call the second.
 */
export function decide(rules: readonly CountedRule[], call: MatchedCall): Decision {
  let changed: CountedRule[] | undefined
  for (const [index, {rule, seen}] of rules.entries()) {
    if (!matches(rule.match, call)) continue
    changed ??= [...rules]
    changed[index] = {rule, seen: seen + 1}
    const taken = seen - (rule.skip ?? 0)
    if (taken >= 0 && taken < (rule.limit ?? Number.POSITIVE_INFINITY)) return {plan: rule.fault.plan, rule, rules: changed}
  }
  return {plan: passed, rules: changed ?? rules}
}

function matches(match: Match, call: MatchedCall): boolean {
  if (match.to !== call.to || match.method !== call.method) return false
  if (match.pod !== undefined && match.pod !== call.pod) return false
  if (match.container !== undefined && match.container !== call.container) return false
  return match.request === undefined || Object.entries(match.request).every(([name, value]) => call.request[name] === value)
}
