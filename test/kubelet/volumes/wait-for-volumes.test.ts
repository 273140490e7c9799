import {expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {ActualWorld} from '../../../src/kubelet/volumes/actual-world.ts'
import {DesiredWorld} from '../../../src/kubelet/volumes/desired-world.ts'
import {waitForVolumes} from '../../../src/kubelet/volumes/wait-for-volumes.ts'
import {spec} from '../../support/csi-steps.ts'
import {aPod, switched} from '../../support/model-pods.ts'

const pod = aPod({spec: {volumes: [{name: 'data', persistentVolumeClaim: {claimName: 'data'}}]}})
const mounted = {uid: 'u1', spec: spec()}

function world(cutShort = true) {
  const profile = switched('1.36.2', 'volume-wait-cut', cutShort)
  const clock = simulatedClock(0)
  const desired = new DesiredWorld()
  const actual = new ActualWorld(profile, () => {})
  desired.add('v', 'data', pod, spec())
  actual.attached('v', spec())
  const cut = new AbortController()
  const wait = waitForVolumes({profile, clock, signal: new AbortController().signal, desired, actual})
  const ended = (work: Promise<void>) =>
    work.then(
      () => ({at: clock.now(), why: 'done'}),
      (error: Error) => ({at: clock.now(), why: error.message}),
    )
  return {
    clock,
    desired,
    actual,
    cut,
    mounts: () => ended(wait.untilMounted(pod, cut.signal)),
    unmounts: () => ended(wait.untilUnmounted(pod, cut.signal)),
  }
}

test('untilMounted() looks every 300 ms', async () => {
  const {clock, actual, mounts} = world()
  const end = mounts()
  await clock.run(1000)
  actual.setMount('v', mounted, 'VolumeMountUncertain')
  await clock.run(2000)
  actual.setMount('v', mounted, 'VolumeMounted')
  await clock.run(3000)
  expect(await end).toEqual({at: 2100, why: 'done'})
})

test('untilMounted() gives up after 2 min 3 s', async () => {
  const {clock, mounts} = world()
  const end = mounts()
  await clock.run(200_000)
  expect(await end).toEqual({at: 123_000, why: 'unmounted volumes=[data]: timed out waiting for the condition'})
})

test('untilMounted() ends with what kept the volume from being known', async () => {
  const {clock, desired, mounts} = world()
  desired.remove('v', 'u1')
  const end = mounts()
  await clock.run(1000)
  desired.addError('u1', 'no claim')
  await clock.run(2000)
  expect(await end).toEqual({at: 1200, why: 'unmounted volumes=[data]: no claim'})
})

test.each([
  [true, 5000],
  [false, 123_000],
])('untilMounted() is cut short with volume-wait-cut, %s', async (on, at) => {
  const {clock, cut, mounts} = world(on)
  const end = mounts()
  await clock.run(5000)
  cut.abort(new Error('context canceled'))
  await clock.run(200_000)
  expect((await end).at).toBe(at)
})

test('untilUnmounted() waits for what is mounted, and not for what is uncertain', async () => {
  const {clock, actual, unmounts} = world()
  actual.setMount('v', mounted, 'VolumeMounted')
  const end = unmounts()
  await clock.run(1000)
  actual.setMount('v', mounted, 'VolumeMountUncertain')
  await clock.run(2000)
  expect(await end).toEqual({at: 1200, why: 'done'})
})

test('untilUnmounted() gives up after 2 min 3 s', async () => {
  const {clock, actual, unmounts} = world()
  actual.setMount('v', mounted, 'VolumeMounted')
  const end = unmounts()
  await clock.run(200_000)
  expect(await end).toMatchObject({at: 123_000, why: 'mounted volumes=[v]: timed out waiting for the condition'})
})
