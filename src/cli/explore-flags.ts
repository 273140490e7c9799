// Flags of the exploration, and the request that the verb takes.
import {boolean, integer, string} from '@oclif/core/flags'
import {parseDuration} from '../base/duration.ts'
import type {ExploreRequest} from '../explore.ts'
import {given, outputFlags} from './flags.ts'

export const exploreFlags = {
  profile: string({default: '1.17.3', helpValue: 'VERSION', description: 'the kubelet: 1.17.3, 1.18.2, 1.21.2, 1.26.5 or 1.36.2'}),
  volumes: boolean({description: 'histories about volumes and CSI drivers, which are slow, fail, or are not heard of'}),
  switch: string({helpValue: '+NAME,-NAME', description: 'turn single changes of the kubelet on or off'}),
  seed: integer({default: 1, helpValue: 'N', min: 0, description: 'of all histories; the same seed, the same histories'}),
  runs: integer({helpValue: 'N', min: 1, description: 'how many histories (200 when no budget is given)'}),
  budget: string({helpValue: '60s', description: 'how much time of the processor: when it is spent, no new history is begun'}),
  save: string({
    helpValue: 'FILE',
    description: 'write the first finding there as a scenario; with a / at the end, all of them into that folder',
  }),
  ...outputFlags,
}

interface ExploreValues {
  readonly profile: string
  readonly switch?: string | undefined
  readonly seed: number
  readonly volumes: boolean
  readonly runs?: number | undefined
  readonly budget?: string | undefined
  readonly save?: string | undefined
}

/** @throws UserError */
export function exploreRequest({profile, switch: turns, seed, volumes, runs, budget, save}: ExploreValues, tool: string): ExploreRequest {
  const budgetMs = budget === undefined ? undefined : parseDuration(budget, '--budget')
  return {profile, seed, family: volumes ? 'volumes' : 'pods', tool, ...given({turns, runs, budgetMs, save})}
}
