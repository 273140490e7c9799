import {expect, test} from 'vitest'
import {seeded} from '../../../src/base/dice.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {PodSyncError} from '../../../src/kubelet/runtime/sync-result.ts'
import {requeueAfter} from '../../../src/kubelet/workers/requeue.ts'
import {switched} from '../../support/model-pods.ts'

/** The least and the most of many, in seconds. */
function range(profile: ReturnType<typeof profileOf>, error: unknown): [number, number] {
  const after = requeueAfter(profile, seeded(1))
  const all = Array.from({length: 500}, () => after(error, 0) / 1000)
  return [Math.floor(Math.min(...all)), Math.ceil(Math.max(...all))]
}

test.each(['1.17.3', '1.36.2'])('requeueAfter() gives a pod that is well 60 to 90 s and one that failed 10 to 15 s, in %s', (version) => {
  expect(range(profileOf(version), undefined)).toEqual([60, 90])
  expect(range(profileOf(version), new Error('no'))).toEqual([10, 15])
})

test('requeueAfter() waits for the end of a back-off, a minute at most, with back-off-awaited alone', () => {
  const today = profileOf('1.36.2')
  expect(range(today, new PodSyncError('CrashLoopBackOff', 40_000))).toEqual([40, 60])
  expect(range(today, new PodSyncError('CrashLoopBackOff', 300_000))).toEqual([60, 90])
  expect(range(today, new PodSyncError('CrashLoopBackOff', -1))).toEqual([0, 0])
  expect(range(switched('1.36.2', 'back-off-awaited', false), new PodSyncError('CrashLoopBackOff', 40_000))).toEqual([10, 15])
})
