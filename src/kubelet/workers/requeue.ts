// When a worker looks at its pod again. Upstream: pod_workers.go, wrapUp and completeWork
import type {Dice} from '../../base/dice.ts'
import type {Profile} from '../profiles.ts'
import {PodSyncError} from '../runtime/sync-result.ts'

const resyncInterval = 60_000
const backOffPeriod = 10_000
const jitterFactor = 0.5

/** @returns milliseconds, up to half as long again as they should be, so that not all pods come at once */
export function requeueAfter(profile: Profile, dice: Dice): (error: unknown, now: number) => number {
  const awaited = profile.switches.has('back-off-awaited')
  const jitter = (ms: number) => ms * (1 + dice.fraction() * jitterFactor)
  return (error, now) => {
    if (error === undefined) return jitter(resyncInterval)
    const until = awaited && error instanceof PodSyncError ? error.backOffUntil : undefined
    return jitter(until === undefined ? backOffPeriod : Math.min(Math.max(until - now, 0), resyncInterval))
  }
}
