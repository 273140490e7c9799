import {expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {podCache} from '../../../src/kubelet/pleg/pod-cache.ts'
import {dispatchedWorkers, type Work} from '../../../src/kubelet/workers/dispatched-workers.ts'
import {workQueue} from '../../../src/kubelet/workers/work-queue.ts'
import {aPod, aStatus} from '../../support/model-pods.ts'

/** Each sync takes a second; the runtime is looked at every 100 ms. */
function workers() {
  const clock = simulatedClock(0)
  const cache = podCache()
  const queue = workQueue(clock)
  const stop = new AbortController()
  const synced: string[] = []
  const outcome: {error: Error | undefined} = {error: undefined}
  const spawn = (work: Promise<unknown>) => void work.catch(() => stop.signal.aborted || expect.unreachable())
  const look = async () => {
    for (;;) {
      cache.updateTime(clock.now())
      await clock.sleep(100, stop.signal)
    }
  }
  spawn(look())
  const made = dispatchedWorkers({
    clock,
    cache,
    queue,
    syncPod: async ({pod, kill}) => {
      synced.push(`${clock.now()} ${kill === undefined ? pod.metadata.resourceVersion : 'kill'}`)
      await clock.sleep(1000, stop.signal)
      if (outcome.error !== undefined) throw outcome.error
    },
    requeueAfter: (error) => (error === undefined ? 60_000 : 10_000),
    log: () => {},
    signal: stop.signal,
    spawn,
  })
  return {...made, clock, queue, synced, outcome, stop}
}

const work = (resourceVersion: number): Work => ({pod: aPod({metadata: {resourceVersion}})})
const kill = (onComplete = (_: unknown) => {}): Work => ({pod: aPod(), kill: {status: aStatus(), grace: 0, onComplete}})

test('updatePod() keeps the newest of what waits, and looks at the runtime anew before it', async () => {
  const {updatePod, clock, synced} = workers()
  for (const version of [1, 2, 3]) updatePod(work(version))
  await clock.run(5000)
  expect(synced).toEqual(['0 1', '1000 3'])
})

test('updatePod() lets nothing take the place of a kill that waits', async () => {
  const {updatePod, clock, synced} = workers()
  for (const each of [work(1), kill(), work(2)]) updatePod(each)
  await clock.run(5000)
  expect(synced).toEqual(['0 1', '1000 kill'])
})

test('updatePod() tells whoever kills how it went', async () => {
  const {updatePod, clock, outcome} = workers()
  const told: unknown[] = []
  updatePod(kill((error) => told.push(error)))
  await clock.run(2000)
  outcome.error = new Error('no')
  updatePod(kill((error) => told.push(error)))
  await clock.run(5000)
  expect(told).toEqual([undefined, outcome.error])
})

test('updatePod() makes the pod due again, sooner when its sync failed', async () => {
  const {updatePod, clock, queue, outcome} = workers()
  updatePod(work(1))
  await clock.run(61_000)
  expect([...queue.getWork()]).toEqual([])
  await clock.run(61_001)
  expect([...queue.getWork()]).toEqual(['u1'])
  outcome.error = new Error('no')
  updatePod(work(2))
  await clock.run(61_001 + 1000 + 10_001)
  expect([...queue.getWork()]).toEqual(['u1'])
})

test('forgetWorker() drops what waits, and another worker waits for what runs', async () => {
  const {updatePod, forgetWorker, forgetNonExistingPodWorkers, clock, synced} = workers()
  updatePod(work(1))
  updatePod(work(2))
  forgetWorker('u1')
  await clock.run(500)
  updatePod(work(3))
  await clock.run(5000)
  expect(synced).toEqual(['0 1', '1000 3'])
  updatePod(work(4))
  updatePod(work(5))
  forgetNonExistingPodWorkers(new Set())
  await clock.run(10_000)
  expect(synced).toEqual(['0 1', '1000 3', '5000 4'])
})
