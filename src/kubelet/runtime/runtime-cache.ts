// The running pods as the runtime last listed them, asked again after two seconds. Upstream: container/runtime_cache.go
import type {Clock} from '../../base/clock.ts'
import type {Dice} from '../../base/dice.ts'
import {type RuntimePods, runningOf} from './runtime-pods.ts'

export interface RuntimeCache {
  getPods(): Promise<RuntimePods>
  /** Asks the runtime whatever it said before. */
  update(): Promise<RuntimePods>
}

const period = 2000

export function runtimeCache(clock: Clock, dice: Dice, getPods: () => Promise<RuntimePods>): RuntimeCache {
  let cached: {readonly at: number; readonly pods: RuntimePods} | undefined
  const update = async () => {
    // From before the answer, so that nothing is missed that came after it.
    const at = clock.now()
    cached = {at, pods: runningOf(await getPods())}
    return cached.pods
  }
  return {
    update,
    getPods: async () => {
      const age = cached === undefined ? Number.POSITIVE_INFINITY : clock.now() - cached.at
      // Housekeeping comes as often as this expires: microseconds decide, here the dice.
      return cached === undefined || age > period || (age === period && dice.roll(2) === 0) ? update() : cached.pods
    },
  }
}
