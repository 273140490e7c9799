// The rules of a run as they stand: what decide() needs kept between calls.
import {counted, type Decision, decide} from '../../faults/decide.ts'
import type {MatchedCall, Rule} from '../../faults/rule.ts'

export interface RuleBook {
  /** Behind those that are there: the first that matches has the call. */
  add(rule: Rule): void
  remove(name: string): void
  decide(call: MatchedCall): Decision
}

export function ruleBook(first: readonly Rule[] = []): RuleBook {
  let rules = counted(first)
  return {
    add: (rule) => {
      rules = [...rules, {rule, seen: 0}]
    },
    remove: (name) => {
      rules = rules.filter((each) => each.rule.name !== name)
    },
    decide: (call) => {
      const decision = decide(rules, call)
      rules = decision.rules
      return decision
    },
  }
}
