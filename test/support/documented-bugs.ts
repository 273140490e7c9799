// How the documented bugs show as findings of an exploration of 1.17.3.
import type {SwitchName} from '../../src/kubelet/switches.ts'
import type {Finding} from '../../src/scenario/explore/finding.ts'
import type {Family} from '../../src/scenario/explore/generate/history.ts'

export interface DocumentedBug {
  readonly label: 'A2' | 'A3' | 'A4' | 'B1' | 'B2' | 'B3'
  readonly family: Family
  readonly invariants: readonly string[]
  readonly how?: RegExp
  /** One of them mends it alone or, where it takes two, is one of the two. */
  readonly switches: readonly SwitchName[]
  readonly takes?: 'two'
}

const undoing = ['stage-not-undone', 'publish-not-undone', 'unstaged-while-published', 'left-behind']

const documentedBugs: readonly DocumentedBug[] = [
  {label: 'A2', family: 'pods', invariants: ['stuck-terminating'], switches: ['deleted-ignores-reasons']},
  {
    label: 'A3',
    family: 'pods',
    invariants: ['end-of-running', 'success-made-up'],
    how: /while it runs|made up/,
    switches: ['ends-after-containers', 'ends-keep-exits'],
  },
  {label: 'A4', family: 'pods', invariants: ['failure-forgotten'], switches: ['ends-keep-exits']},
  {label: 'B1', family: 'volumes', invariants: ['stage-not-undone'], switches: ['missing-map-is-unused']},
  {label: 'B2', family: 'volumes', invariants: undoing, switches: ['unpublished-always'], takes: 'two'},
  {label: 'B3', family: 'volumes', invariants: undoing, switches: ['uncertain-mounts']},
]

export const bugsOf = (family: Family): readonly DocumentedBug[] => documentedBugs.filter((bug) => bug.family === family)

export function isOf(
  {invariants, how = /./, switches: mending, takes}: DocumentedBug,
  {violation, switches, otherSwitches}: Finding,
): boolean {
  const sets = violation.pod === undefined ? [switches, ...otherSwitches] : [switches]
  const mends = (set: readonly SwitchName[]) =>
    (set.length === 1 || (takes === 'two' && set.length === 2)) && mending.some((name) => set.includes(name))
  return invariants.includes(violation.invariant) && how.test(violation.how) && sets.some(mends)
}
