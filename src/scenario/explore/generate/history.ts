// A random history. All of it comes from one seed.
import {seeded} from '../../../base/dice.ts'
import type {History} from '../history.ts'
import {longestRun} from '../patience.ts'
import {randomPods} from './pods.ts'
import {randomRules} from './rules.ts'
import {randomSteps} from './steps.ts'
import {randomVolumeHistory} from './volume-history.ts'

/** What a history is about: what is told of pods and when they go, or what becomes of their volumes. */
export type Family = 'pods' | 'volumes'

export const randomHistory = (seed: number, family: Family = 'pods'): History =>
  family === 'volumes' ? randomVolumeHistory(seed) : randomPodHistory(seed)

function randomPodHistory(seed: number): History {
  const dice = seeded(seed)
  const pods = randomPods(dice.of('pods'))
  const rules = randomRules(pods, dice.of('rules'))
  const steps = randomSteps(pods, dice.of('steps'))
  const parts = {seed, drivers: [], claims: [], pods, rules, steps}
  return {...parts, until: longestRun(parts)}
}

/** The seed of one history of many. The first has the seed that was asked for, so that each can be asked for alone. */
export const seedOf = (seed: number, index: number): number =>
  index === 0
    ? seed
    : seeded(seed)
        .of(`history ${index}`)
        .roll(2 ** 31)
