// The rules in force as calls see them.
import type {Decision} from '../../faults/decide.ts'
import type {MayMatch} from '../../faults/match/may-match.ts'
import type {MatchedCall, Rule} from '../../faults/rule.ts'
import type {CalledMethod} from './call-head.ts'
import type {RuleMemory} from './rule-memory.ts'

export interface Decided extends Pick<Decision, 'plan' | 'rule'> {
  /** Why it passes although a rule would have taken it. */
  readonly skipped?: string
}

export interface CallBook {
  mayMatch(call: CalledMethod): MayMatch
  /** Counts the call. */
  decide(call: MatchedCall): Decided
  /** Some rule goes by a pod, a container or a claim: what has ids must be looked at as it passes. */
  readonly usesNames: boolean
  /** What a rule keeps of one call for another. */
  memoryOf(rule: Rule): RuleMemory
}
