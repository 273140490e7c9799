// Flags of the exploration, and the request that the verb takes.
import {boolean, string} from '@oclif/core/flags'
import {parseDuration} from '../base/duration.ts'
import {UserError} from '../base/errors.ts'
import type {ExploreRequest} from '../explore.ts'
import {given, outputFlags} from './flags.ts'
import {wholeNumber} from './whole-number.ts'

export const exploreFlags = {
  profile: string({default: '1.17.3', helpValue: 'VERSION', description: 'the kubelet: 1.17.3, 1.18.2, 1.21.2, 1.26.5 or 1.36.2'}),
  volumes: boolean({description: 'histories about volumes and CSI drivers, which are slow, fail, or are not heard of'}),
  switch: string({helpValue: '+NAME,-NAME', description: 'turn single changes of the kubelet on or off'}),
  seed: wholeNumber('--seed', 0)({default: 1, helpValue: 'N', description: 'of all histories; the same seed, the same histories'}),
  runs: wholeNumber('--runs', 1)({helpValue: 'N', description: 'how many histories (200 when no budget is given)'}),
  budget: string({helpValue: '60s', description: 'how much time of the processor: when it is spent, no new history is begun'}),
  save: string({
    helpValue: 'FILE',
    description: 'write the first finding there as a scenario; of a folder (it is one, or ends in /), all of them, each into a file',
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
  if (budgetMs === 0) throw new UserError(`Cannot use --budget as it must be at least 1ms: it is '${budget}'`)
  return {profile, seed, family: volumes ? 'volumes' : 'pods', tool, ...given({turns, runs, budgetMs, save})}
}
