// The rules of a run as they stand: what decide() needs kept between calls.
import {UserError} from '../../base/errors.ts'
import {armed, type Decision, decide} from '../../faults/decide.ts'
import type {MatchedCall, Rule} from '../../faults/rule.ts'
import {type BetweenCalls, betweenCalls} from './between-calls.ts'

export interface RuleBook {
  /** Behind those that are there: the first that matches has the call. @throws UserError when a port cannot do it */
  add(rule: Rule): void
  remove(name: string): void
  decide(call: MatchedCall): Decision
  readonly between: BetweenCalls
}

export function ruleBook(first: readonly Rule[] = []): RuleBook {
  let rules = first.map((rule) => armed(portable(rule)))
  return {
    add: (rule) => {
      rules = [...rules, armed(portable(rule))]
    },
    remove: (name) => {
      rules = rules.filter((each) => each.rule.name !== name)
    },
    decide: (call) => {
      const decision = decide(rules, call)
      rules = decision.rules as typeof rules
      return decision
    },
    between: betweenCalls(),
  }
}

/** A port has calls and answers: no sockets, no streams and no bytes. */
function portable(rule: Rule): Rule {
  const {kind, socket, plan} = rule.fault
  const {reply} = plan
  const ofBytes =
    ['throttle', 'cut', 'stall'].includes(reply.kind) || (reply.kind === 'edit' && reply.edits.some((edit) => edit.kind === 'pad'))
  if (socket === undefined && !ofBytes) return rule
  throw new UserError(
    `Cannot use the rule '${rule.name}' in the lab as its fault must be one of calls and their answers: it is '${kind}'`,
    {
      hint: 'a proxy on a socket of the lab can do it',
    },
  )
}
