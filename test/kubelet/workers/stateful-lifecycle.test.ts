import {expect, test} from 'vitest'
import {seeded} from '../../../src/base/dice.ts'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {podCache} from '../../../src/kubelet/pleg/pod-cache.ts'
import type {PodLifecycleOptions} from '../../../src/kubelet/workers/pod-lifecycle.ts'
import {statefulLifecycle} from '../../../src/kubelet/workers/stateful-lifecycle.ts'
import {runtimePod, switched} from '../../support/model-pods.ts'

/** Whose containers housekeeping stops: the pod of the old list has ended since, nobody knows that of the new one. */
async function stopped(on: boolean): Promise<readonly string[]> {
  const clock = simulatedClock(0)
  const uids: string[] = []
  const listOf = async (uid: string) => new Map([[uid, {...runtimePod(), uid}]])
  const options = {
    profile: switched('1.36.2', 'housekeeping-lists-anew', on),
    ports: {clock, dice: seeded(1), log: () => {}},
    signal: new AbortController().signal,
    podManager: {has: () => false},
    statusManager: {removeOrphanedStatuses: () => {}},
    cache: podCache(),
    queue: {enqueue: () => {}},
    runtimeCache: {getPods: () => listOf('ended'), update: () => listOf('unknown')},
    killer: {
      killPod: async (_pod: undefined, {uid}: {uid: string}) => {
        uids.push(uid)
        return {syncResults: []}
      },
    },
    backOff: {gc: () => {}},
    volumes: {cleanupOrphanedPodDirs: async () => {}},
    spawn: () => {},
  } as unknown as PodLifecycleOptions
  void statefulLifecycle(options).housekeeping()
  await clock.run(1000)
  return uids
}

test('housekeeping() stops what ran two seconds ago without housekeeping-lists-anew', async () => {
  expect([await stopped(true), await stopped(false)]).toEqual([['unknown'], ['ended']])
})
