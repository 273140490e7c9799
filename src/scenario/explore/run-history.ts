// Plays a history on a kubelet and looks at what it breaks.
import type {Profile} from '../../kubelet/profiles.ts'
import type {LabNode, LabOptions} from '../../lab/lab-node.ts'
import type {Event} from '../../timeline/event.ts'
import {claimsOf} from '../claims.ts'
import {play} from '../play.ts'
import {type History, scenarioOf} from './history.ts'
import type {Violation} from './invariant.ts'
import {violationsIn} from './invariants.ts'
import {impatient} from './patience.ts'

export interface Outcome {
  readonly violations: readonly Violation[]
  readonly events: readonly Event[]
}

export type StartNode = (options: LabOptions) => LabNode

export interface RunOptions {
  /** To the end, as `repro` does, even when nothing more can come of it. */
  readonly whole?: boolean
}

export async function runHistory(
  history: History,
  profile: Profile,
  startNode: StartNode,
  {whole = false}: RunOptions = {},
): Promise<Outcome> {
  let node: LabNode | undefined
  const {events, end} = await play(scenarioOf(history), {
    profile,
    seed: history.seed,
    startNode: (options) => {
      node = whole ? startNode(options) : impatient(startNode(options), history)
      return node
    },
  })
  const claims = claimsOf(history)
  const drivers = new Map(history.drivers.map(({name}) => [name, node?.drivers.get(name)?.volumes() ?? []]))
  return {violations: violationsIn({events, end: node?.now() ?? end, claims, drivers}), events}
}
