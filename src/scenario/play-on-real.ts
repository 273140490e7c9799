// Plays a scenario on a node with parts that are real. Its volumes are made for the run, and nothing of it is left afterwards.
import {startLabNode} from '../lab/lab-node.ts'
import {type RealPartsOptions, realParts} from '../lab/real-parts.ts'
import {makeRealVolumes} from '../lab/remote/real-volumes.ts'
import {claimsOf} from './claims.ts'
import {type Played, type PlayOptions, play} from './play.ts'
import type {Scenario} from './schema/scenario.ts'

export type RealPlay = Omit<RealPartsOptions, 'start' | 'volumes'>

export interface PlayedOnReal {
  /** With the volumes that there were. */
  readonly scenario: Scenario
  readonly record: Played
}

/** @throws UserError when a part cannot be used, or when something of the run is left; what the signal was aborted with */
export async function playOnReal(
  scenario: Scenario,
  {profile, seed, real}: Pick<PlayOptions, 'profile' | 'seed'> & {readonly real: RealPlay},
): Promise<PlayedOnReal> {
  const {csiEndpoint: endpoint, clock, uids: dice, signal} = real
  const usesVolumes = endpoint !== undefined && scenario.drivers.length > 0
  await using volumes = usesVolumes ? await makeRealVolumes(claimsOf(scenario), {endpoint, clock, dice, signal}) : undefined
  const own = volumes === undefined ? scenario : {...scenario, claims: [...volumes.claims]}
  try {
    const record = await play(own, {
      profile,
      seed,
      startNode: async (options) => {
        const parts = await realParts({...real, ...(volumes && {volumes}), start: options.start})
        return startLabNode({...options, parts})
      },
    })
    return {scenario: own, record}
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
