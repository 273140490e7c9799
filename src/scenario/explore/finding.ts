// What an exploration has found: one way of breaking an invariant, with the smallest history that shows it.
import type {SwitchName} from '../../kubelet/switches.ts'
import type {History} from './history.ts'
import type {Violation} from './invariant.ts'

export interface Finding {
  /** In the smallest history. */
  readonly violation: Violation
  /** One set that makes it pass; empty: none of the switches known. */
  readonly switches: readonly SwitchName[]
  /** Other sets of that size that do. */
  readonly otherSwitches: readonly (readonly SwitchName[])[]
  /** Seed of the first history that showed it: `--seed` with it and `--runs 1` shows it again. */
  readonly seed: number
  /** In how many histories it was seen. */
  histories: number
  readonly history: History
}

/** Two violations with the same are taken for one. */
export const kindOf = ({invariant, how}: Violation): string => `${invariant}: ${how}`
