// The rules of a proxy, as those see them who list and change them.
import type {Rule} from '../faults/rule.ts'

/** The rules in force, which can change at any time. */
export interface ProxyRules {
  list(): readonly RuleStanding[]
  add(rule: Rule): void
  /** False when there is none of that name. */
  remove(name: string): boolean
  clear(): void
  /** While paused no rule has a part in any call. */
  pause(paused: boolean): void
  readonly paused: boolean
}

export interface RuleStanding {
  readonly rule: Rule
  /** Calls that matched, and that it took. */
  readonly seen: number
  readonly taken: number
}
