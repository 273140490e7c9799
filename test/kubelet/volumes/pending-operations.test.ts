import fc from 'fast-check'
import {expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {anyPod, type Operation, pendingOperations} from '../../../src/kubelet/volumes/pending-operations.ts'
import {switched} from '../../support/model-pods.ts'

function world(ownFirst = true) {
  const clock = simulatedClock(0)
  const logs: Readonly<Record<string, unknown>>[] = []
  const stop = new AbortController()
  const failures: unknown[] = []
  const pending = pendingOperations({
    profile: switched('1.36.2', 'own-operation-first', ownFirst),
    clock,
    log: ({text, fields}) => void logs.push({text, ...fields}),
    signal: stop.signal,
    spawn: (work) => void work.catch((error) => failures.push(error)),
  })
  return {clock, pending, logs, stop, failures}
}

const operation = (name: Operation['name'], run: () => Promise<void>): Operation => ({name, about: {volume: 'pv1'}, run})
const fails = (name: Operation['name'] = 'map_volume') => operation(name, async () => Promise.reject(new Error('no')))
const succeeds = (name: Operation['name'] = 'map_volume') => operation(name, async () => undefined)

/** A volume's operation until it ends, tried ten times a second. @returns when it began each time */
async function attempts({clock, pending}: ReturnType<typeof world>, make: () => Operation, until: number): Promise<number[]> {
  const began: number[] = []
  for (let at = clock.now(); at <= until; at += 100) {
    await clock.run(at)
    if (pending.run('v', anyPod, make()) === 'started') began.push(at)
  }
  return began
}

test('run() waits 500 ms after a failure, then twice as long each time, at most 2 min 2 s', async () => {
  const one = world()
  await attempts(one, fails, 600_000)
  expect(one.logs.map(({durationBeforeRetry}) => durationBeforeRetry)).toEqual([
    500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 122_000, 122_000, 122_000, 122_000,
  ])
})

test('run() begins anew after a success', async () => {
  const one = world()
  const began = await attempts(one, fails, 2000)
  expect(began).toEqual([0, 600, 1700])
  await one.clock.run(10_000)
  one.pending.run('v', anyPod, succeeds())
  await one.clock.run(10_000)
  one.pending.run('v', anyPod, fails())
  await one.clock.run(10_000)
  expect(one.logs.map(({durationBeforeRetry}) => durationBeforeRetry)).toEqual([500, 1000, 2000, 500])
})

test('run() lets another operation begin within the back-off, and anew; one after it goes on counting', async () => {
  const one = world()
  await attempts(one, () => fails('map_volume'), 2000)
  expect(one.logs.at(-1)?.durationBeforeRetry).toBe(2000)
  expect(one.pending.run('v', anyPod, fails('map_volume'))).toBe('backing-off')
  expect(one.pending.run('v', anyPod, fails('unmap_device'))).toBe('started')
  await one.clock.run(2000)
  expect(one.logs.at(-1)).toMatchObject({operation: 'unmap_device', durationBeforeRetry: 500})
  await one.clock.run(3000)
  one.pending.run('v', anyPod, fails('map_volume'))
  await one.clock.run(3000)
  expect(one.logs.at(-1)).toMatchObject({operation: 'map_volume', durationBeforeRetry: 1000})
})

test.each([
  [anyPod, anyPod, 'v', 'executing'],
  [anyPod, 'p1', 'v', 'executing'],
  ['p1', anyPod, 'v', 'executing'],
  ['p1', 'p1', 'v', 'executing'],
  ['p1', 'p2', 'v', 'started'],
  [anyPod, anyPod, 'other', 'started'],
])('run() while an operation of pod %j runs: one of pod %j of volume %s is %s', async (first, second, volume, expected) => {
  const {clock, pending} = world()
  const forever = operation('volume_mount', () => new Promise(() => {}))
  pending.run('v', first, forever)
  await clock.run(0)
  expect(pending.isPending(volume, second)).toBe(expected === 'executing')
  expect(pending.run(volume, second, succeeds())).toBe(expected)
})

test.each([
  [true, 'executing'],
  [false, 'started'],
])('run() minds an operation that runs, whatever was noted first, with own-operation-first, %s: %s', async (on, expected) => {
  const {clock, pending} = world(on)
  pending.run('v', 'p1', fails('volume_unmount'))
  await clock.run(0)
  pending.run(
    'v',
    'p2',
    operation('volume_unmount', () => new Promise(() => {})),
  )
  await clock.run(1000)
  expect(pending.run('v', anyPod, succeeds('volume_mount'))).toBe(expected)
})

test('run() writes nothing of an operation that the end of the kubelet cuts short', async () => {
  const {clock, pending, logs, stop, failures} = world()
  pending.run(
    'v',
    anyPod,
    operation('volume_mount', () => clock.sleep(1000, stop.signal)),
  )
  await clock.run(500)
  stop.abort(new Error('ended'))
  await clock.run(2000)
  expect(logs).toEqual([])
  expect(failures).toHaveLength(1)
})

test('run() never lets two operations of one volume run at once, unless both are of pods of their own', async () => {
  const step = fc.record({pod: fc.constantFrom(anyPod, 'p1', 'p2'), fails: fc.boolean(), takes: fc.integer({min: 0, max: 3000})})
  await fc.assert(
    fc.asyncProperty(fc.array(step, {maxLength: 20}), async (steps) => {
      const {clock, pending} = world()
      const running = new Set<{pod: string}>()
      for (const {pod, fails: bad, takes} of steps) {
        const mine = {pod}
        pending.run(
          'v',
          pod,
          operation('volume_mount', async () => {
            for (const other of running) expect(pod !== anyPod && other.pod !== anyPod && pod !== other.pod).toBe(true)
            running.add(mine)
            await clock.sleep(takes)
            running.delete(mine)
            if (bad) throw new Error('no')
          }),
        )
        await clock.run(clock.now() + 700)
      }
    }),
    {numRuns: 50},
  )
})
