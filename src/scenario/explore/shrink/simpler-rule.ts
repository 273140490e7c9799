// A rule with one thing plainer: it hits fewer calls, or does something shorter to them.
import {faultOf} from '../../../faults/faults.ts'
import type {Rule} from '../../../faults/rule.ts'

export function* simplerRules(rule: Rule): Generator<Rule> {
  const {skip, ...unskipped} = rule
  if (skip !== undefined) yield unskipped
  const {pod, request, ...match} = rule.match
  if (rule.match.to === 'csi' && (pod ?? request) !== undefined) yield {...rule, match}
  if (rule.limit !== 1) yield {...rule, limit: 1}
  const {kind, plan} = rule.fault
  // What breaks off by itself is plainer than what waits for a deadline.
  if (kind === 'lose-reply') for (const ms of [5000, 30_000]) yield {...rule, fault: faultOf('hold', {ms})}
  const ms = kind === 'delay' ? plan.before : kind === 'hold' && plan.reply.kind === 'hold' ? plan.reply.ms : 0
  for (const less of [1000, 2000, 5000, 10_000]) if (less < ms) yield {...rule, fault: faultOf(kind, {ms: less})}
}
