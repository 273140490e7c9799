// How the documented bugs of the status half show as findings of an exploration of 1.17.3.
import type {SwitchName} from '../../src/kubelet/switches.ts'
import type {Finding} from '../../src/scenario/explore/finding.ts'

export interface DocumentedBug {
  readonly label: 'A2' | 'A3' | 'A4'
  readonly invariants: readonly string[]
  readonly how?: RegExp
  /** One of them mends it. */
  readonly switches: readonly SwitchName[]
}

export const documentedBugs: readonly DocumentedBug[] = [
  {label: 'A2', invariants: ['stuck-terminating'], switches: ['deleted-ignores-reasons']},
  {
    label: 'A3',
    invariants: ['end-of-running', 'success-made-up'],
    how: /while it runs|made up/,
    switches: ['ends-after-containers', 'ends-keep-exits'],
  },
  {label: 'A4', invariants: ['failure-forgotten'], switches: ['ends-keep-exits']},
]

export const isOf = ({invariants, how = /./, switches: mending}: DocumentedBug, {violation, switches}: Finding): boolean =>
  invariants.includes(violation.invariant) &&
  how.test(violation.how) &&
  switches.length === 1 &&
  mending.some((name) => name === switches[0])
