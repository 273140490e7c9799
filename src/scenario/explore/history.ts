// A history: some pods, what is done to them and which calls go wrong. Plain data that a seed makes and that can be made smaller.
import type {Rule} from '../../faults/rule.ts'
import type {PodManifest} from '../../lab/api-server/pod-manifest.ts'
import type {Scenario} from '../schema/scenario.ts'
import type {Step} from '../schema/step.ts'

export type Driver = Scenario['drivers'][number]
export type Claim = Scenario['claims'][number]

export interface History {
  /** Of what is random in the node. */
  readonly seed: number
  readonly drivers: readonly Driver[]
  readonly claims: readonly Claim[]
  readonly pods: readonly PodManifest[]
  readonly rules: readonly Rule[]
  readonly steps: readonly Step[]
  /** Milliseconds from the start: how long it may run. */
  readonly until: number
}

/** As what is played: it expects nothing. */
export function scenarioOf({drivers, claims, pods, rules, steps, until}: History): Scenario {
  const words = {name: 'explored', label: 'explored', title: 'explored', why: 'explored'}
  const lists = {drivers, claims, pods, rules, steps} as unknown as Pick<Scenario, 'drivers' | 'claims' | 'pods' | 'rules' | 'steps'>
  return {
    apiVersion: 'kubelimbo/v1',
    kind: 'Scenario',
    ...words,
    issues: [],
    switches: [],
    ...lists,
    until,
    given: [],
    expect: {},
  }
}
