// Which rule has a part in a call, and so what happens to it. Pure: the counts, the moment and what is random go in, and the counts come out.

import {type Counts, countsOf, type KeyCounts, noKeys, withCounts} from './count/key-counts.ts'
import {keyOf} from './count/per.ts'
import type {Draw} from './draws.ts'
import {matches} from './match/matches.ts'
import {type Plan, passed} from './plan.ts'
import type {MatchedCall, Rule} from './rule.ts'

/** A rule with how many calls have matched it, while it was in force, that no rule before it took, and how many of them it took. */
export interface CountedRule extends Counts {
  readonly rule: Rule
  /** When it was added, by the clock of the moments. */
  readonly armedAt: number
  /** The same counts for each value of `per`, of as many as key-counts.ts keeps. */
  readonly keys?: KeyCounts
}

export interface Moment {
  /** Milliseconds by the clock that `armedAt` is of. */
  readonly at: number
  readonly draw: Draw
}

export interface Decision {
  /** With its jitter drawn. */
  readonly plan: Plan
  /** Absent: the call passes. */
  readonly rule?: Rule
  /** The same array when no count changed. */
  readonly rules: readonly CountedRule[]
}

/** At the moment when rules are armed, and as if every throw were the lowest. */
const atOnce: Moment = {at: 0, draw: () => 0}

export const armed = (rule: Rule, at = 0): CountedRule => ({rule, armedAt: at, seen: 0, taken: 0})

export const counted = (rules: readonly Rule[], at = 0): readonly CountedRule[] => rules.map((rule) => armed(rule, at))

/**
 * The first rule that matches and has not run out takes the call. A rule that lets it pass, by its counts or its probability, leaves it to
 * the next; those after the one that took it have not seen it: of two rules for one method with limit 1, the first call has the first one, the second
 * call the second. A rule that is not in force sees nothing.
 */
export function decide(rules: readonly CountedRule[], call: MatchedCall, moment: Moment = atOnce): Decision {
  let changed: CountedRule[] | undefined
  for (const [index, each] of rules.entries()) {
    const {rule} = each
    if (rule.fault.socket !== undefined || !isInForce(each, moment) || !matches(rule.match, call)) continue
    changed ??= [...rules]
    const nth = each.seen + 1
    const key = rule.per === undefined ? undefined : keyOf(rule.per, call)
    const counts = key === undefined ? each : countsOf(each.keys ?? noKeys, key)
    const takes =
      takesNext(rule, counts) && (rule.probability === undefined || moment.draw(rule.name, nth, 'probability') < rule.probability)
    const more = takes ? 1 : 0
    changed[index] = {
      rule,
      armedAt: each.armedAt,
      seen: nth,
      taken: each.taken + more,
      ...(key === undefined ? {} : {keys: withCounts(each.keys ?? noKeys, key, {seen: counts.seen + 1, taken: counts.taken + more})}),
    }
    if (takes) return {plan: drawn(rule, nth, moment), rule, rules: changed}
  }
  return {plan: passed, rules: changed ?? rules}
}

/** Between `from` and `until`. A socket's fault is on as long as its rule is. */
export function isInForce(
  {rule: {from = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY}, armedAt}: Pick<CountedRule, 'rule' | 'armedAt'>,
  {at}: Pick<Moment, 'at'>,
): boolean {
  const since = at - armedAt
  return since >= from && since < until
}

function takesNext({skip = 0, every = 1, limit = Number.POSITIVE_INFINITY}: Rule, {seen, taken}: Counts): boolean {
  const after = seen + 1 - skip
  return after > 0 && after % every === 0 && taken < limit
}

function drawn({name, fault: {plan, jitter}}: Rule, nth: number, {draw}: Moment): Plan {
  if (jitter === undefined) return plan
  const {before, reply} = plan
  const more = (what: 'before' | 'after') => Math.floor(draw(name, nth, what) * (jitter + 1))
  return {
    ...plan,
    // Of a plan that keeps the answer back alone, that is its only wait.
    before: before > 0 || reply.kind !== 'hold' ? before + more('before') : before,
    reply: reply.kind === 'hold' ? {kind: 'hold', ms: reply.ms + more('after')} : reply,
  }
}
