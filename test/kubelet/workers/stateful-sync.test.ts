import {expect, test} from 'vitest'
import {seeded} from '../../../src/base/dice.ts'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import type {PodLifecycleOptions} from '../../../src/kubelet/workers/pod-lifecycle.ts'
import {statefulSync} from '../../../src/kubelet/workers/stateful-sync.ts'
import {aPod, aStatus, runtimePod, switched} from '../../support/model-pods.ts'

/** A pod with a volume that goes after a second. */
function terminated(on: boolean) {
  const clock = simulatedClock(0)
  const told: string[] = []
  const volumes = {waitForAttachAndMount: async () => {}, waitForUnmount: async () => {}, podVolumesExist: () => clock.now() < 1000}
  const options = {
    profile: switched('1.36.2', 'volumes-awaited', on),
    ports: {clock, dice: seeded(1), log: () => {}},
    volumes,
    statusManager: {setPodStatus: () => told.push(`status at ${clock.now()}`), terminatePod: () => told.push(`ended at ${clock.now()}`)},
    generate: () => aStatus(),
  } as unknown as PodLifecycleOptions
  const sync = statefulSync(options, () => false)
  const ends = sync.syncTerminatedPod(aPod(), runtimePod(), new AbortController().signal)
  return {clock, told, ends}
}

test.each([
  [true, 'ended at 1000'],
  [false, 'ended at 0'],
])('syncTerminatedPod() ends a pod when its last volume is gone with volumes-awaited, %s: %s', async (on, expected) => {
  const {clock, told, ends} = terminated(on)
  await clock.run(5000)
  await ends
  expect(told).toEqual(['status at 0', expected])
})

test.each([
  [[{action: 'StartContainer', container: 'c'}], ['u1']],
  [[], []],
])('syncPod() asks for a look at the pod after it has done %j: %j', async (syncResults, expected) => {
  const asked: string[] = []
  const options = {
    profile: profileOf('1.36.2'),
    ports: {clock: simulatedClock(0), log: () => {}},
    volumes: {waitForAttachAndMount: async () => {}},
    statusManager: {setPodStatus: () => {}},
    reasonCache: {update: () => {}},
    generate: () => aStatus(),
    syncRuntime: async () => ({syncResults}),
    requestRelist: (uid: string) => asked.push(uid),
  } as unknown as PodLifecycleOptions
  const {isTerminal, postSync} = await statefulSync(options, () => false).syncPod(aPod(), runtimePod(), new AbortController().signal)
  expect([isTerminal, asked]).toEqual([false, []])
  postSync?.()
  expect(asked).toEqual(expected)
})
