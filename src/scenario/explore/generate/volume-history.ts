// A random history about volumes: few containers, some claims, and a driver that is slow, fails, or is not heard of.
import {seeded} from '../../../base/dice.ts'
import type {History} from '../history.ts'
import {longestRun} from '../patience.ts'
import {randomDriverRules} from './driver-rules.ts'
import {randomClaims, randomDriver} from './drivers.ts'
import {randomVolumePods} from './volume-pods.ts'
import {randomVolumeSteps} from './volume-steps.ts'

export function randomVolumeHistory(seed: number): History {
  const dice = seeded(seed).of('volumes')
  const drivers = [randomDriver(dice.of('driver'))]
  const claims = randomClaims(dice.of('claims'))
  const pods = randomVolumePods(claims, dice.of('pods'))
  const rules = randomDriverRules(claims, pods, dice.of('rules'))
  const steps = randomVolumeSteps({drivers, claims, pods}, dice.of('steps'))
  const parts = {seed, drivers, claims, pods, rules, steps}
  return {...parts, until: longestRun(parts)}
}
