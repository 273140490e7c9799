// A rule in force, for people and scripts.
import {explain} from '../../faults/explain.ts'
import type {RuleStanding} from '../rules-in-force.ts'

export interface RuleView {
  readonly name: string
  readonly fault: string
  /** What it does, in a sentence. */
  readonly says: string
  /** Calls that matched, and that it took. */
  readonly seen: number
  readonly taken: number
}

export const ruleView = ({rule, seen, taken}: RuleStanding): RuleView => ({
  name: rule.name,
  fault: rule.fault.kind,
  says: explain(rule),
  seen,
  taken,
})
