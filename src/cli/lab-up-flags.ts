// What a lab is to be like: said to `lab up`, and handed on to the process that serves it.
import {string} from '@oclif/core/flags'
import {usualSeed} from '../scenario/play.ts'
import {labFlags} from './lab-flags.ts'
import {wholeNumber} from './whole-number.ts'

export const labUpFlags = {
  ...labFlags,
  scenario: string({
    helpValue: 'NAME',
    description: 'a scenario or a file with one: its drivers, claims and rules are there, and its steps are done as time goes by',
  }),
  profile: string({helpValue: 'VERSION', default: '1.36.2', description: 'the kubelet: 1.17.3, 1.18.2, 1.21.2, 1.26.5 or 1.36.2'}),
  scale: wholeNumber(
    '--scale',
    1,
    50,
  )({helpValue: 'N', default: 1, description: "the node's time runs that many times as fast as the clock on the wall"}),
  seed: wholeNumber('--seed', 0)({helpValue: 'N', default: usualSeed, description: 'of all that is random on the node'}),
}

interface LabUpValues {
  readonly scenario?: string | undefined
  readonly profile: string
  readonly scale: number
  readonly seed: number
}

/** For the command line of `lab serve`. */
export function serveArgs(folder: string, {scenario, profile, scale, seed}: LabUpValues): readonly string[] {
  const asked = scenario === undefined ? [] : ['--scenario', scenario]
  return ['lab', 'serve', '--dir', folder, '--profile', profile, '--scale', `${scale}`, '--seed', `${seed}`, ...asked]
}
