import {describe, expect, test} from 'vitest'
import type {PodStatus} from '../../../src/kubelet/pod.ts'
import {CallFailure} from '../../../src/kubelet/port.ts'
import {profileOf} from '../../../src/kubelet/profiles.ts'
import {aPod, aStatus, deleted, exited, running, start, statusOf, switched} from '../../support/model-pods.ts'
import {statusWorld} from '../../support/status-world.ts'

const before = profileOf('1.17.3')
const after = profileOf('1.18.2')
const today = profileOf('1.36.2')
const runs: PodStatus = aStatus({phase: 'Running', containerStatuses: [statusOf('c', running)]})
const failed: PodStatus = aStatus({phase: 'Failed', containerStatuses: [statusOf('c', exited(1))]})
const podAt = (index: number) => aPod({metadata: {name: `p${index}`, uid: `u${index}`}})
const upToDate = 'Status for pod is up-to-date; skipping'

describe('syncing one pod', () => {
  test('gets it, writes its status and removes it when it may go', async () => {
    const {manager, put, at, calls, texts} = statusWorld({profile: after, reclaimed: () => true})
    manager.setPodStatus(put(deleted(aPod())), failed)
    await at(1)
    const status = {...failed, startTime: start}
    expect(calls().map(({method, request}) => [method, request])).toEqual([
      ['GET pod', {namespace: 'default', name: 'web'}],
      ['PATCH pod/status', {namespace: 'default', name: 'web', uid: 'u1', status}],
      ['DELETE pod', {namespace: 'default', name: 'web', uid: 'u1', gracePeriodSeconds: 0}],
    ])
    expect(texts()).toEqual(['Pod fully terminated and removed from etcd'])
    expect(manager.getPodStatus('u1')).toBeUndefined()
  })

  test('removes it only when the API server knows how it ended and its worker has finished, today', async () => {
    const {manager, put, at, requests} = statusWorld({profile: today, reclaimed: () => true})
    const pod = put(deleted(aPod()))
    manager.setPodStatus(pod, failed)
    await at(1)
    manager.terminatePod(pod)
    await at(2)
    expect(requests()).toEqual(['GET', 'PATCH', 'GET', 'DELETE'].map((verb) => `${verb} default/web`))
  })

  test.each([
    [false, ['GET default/web', 'PATCH default/web']],
    [true, ['GET default/web']],
  ])('with equal-not-patched %s', async (on, expected) => {
    const {manager, put, at, requests} = statusWorld({profile: switched('1.17.3', 'equal-not-patched', on)})
    manager.setPodStatus(put(aPod({status: {...runs, startTime: start}})), runs)
    await at(1)
    expect(requests()).toEqual(expected)
  })

  test('does without a pod that is not there, and asks for it again with each batch', async () => {
    const {manager, put, at, requests, stored, texts} = statusWorld({profile: after})
    manager.setPodStatus(put(aPod()), runs)
    stored.clear()
    await at(20_000)
    expect(requests()).toEqual(Array(3).fill('GET default/web'))
    expect(texts().filter((text) => text === 'Pod does not exist on the server')).toHaveLength(3)
    manager.removeOrphanedStatuses(new Set())
    await at(30_000)
    expect(requests()).toHaveLength(3)
  })

  test('forgets a pod that is another by now', async () => {
    const {manager, put, at, requests, texts} = statusWorld({profile: today})
    manager.setPodStatus(put(aPod()), runs)
    put(aPod({metadata: {uid: 'u2'}}))
    await at(20_000)
    expect(requests()).toEqual(['GET default/web'])
    expect(texts()).toContain('Pod was deleted and then recreated, skipping status update')
    expect(manager.getPodStatus('u1')).toBeUndefined()
  })

  test.each([
    ['GET pod', 'Failed to get status for pod', ['GET', 'GET', 'PATCH']],
    ['PATCH pod/status', 'Failed to update status for pod', ['GET', 'PATCH', 'GET', 'PATCH']],
  ] as const)('tries again with the next batch when %s fails', async (method, text, verbs) => {
    const {manager, put, at, requests, failing, logs} = statusWorld({profile: after})
    failing.set(method, new CallFailure('InternalError', 'etcd is gone'))
    manager.setPodStatus(put(aPod()), runs)
    await at(1)
    failing.clear()
    await at(10_000)
    expect(requests()).toEqual(verbs.map((verb) => `${verb} default/web`))
    expect(logs()[0]).toMatchObject({text, pod: 'default/web', fields: {error: 'etcd is gone'}})
  })

  test('tries again to remove a pod with the next batch', async () => {
    const {manager, put, at, requests, failing, stored} = statusWorld({profile: after, reclaimed: () => true})
    failing.set('DELETE pod', new CallFailure('InternalError', 'etcd is gone'))
    manager.setPodStatus(put(deleted(aPod())), failed)
    await at(1)
    failing.clear()
    await at(10_000)
    expect(requests().map((each) => each.split(' ')[0])).toEqual(['GET', 'PATCH', 'DELETE', 'GET', 'DELETE'])
    expect(stored.size).toBe(0)
  })

  test('waits for its share of the calls', async () => {
    const {manager, put, at, calls} = statusWorld({profile: after, config: {}})
    for (let index = 0; index < 7; index++) manager.setPodStatus(put(podAt(index)), runs)
    await at(9_000)
    expect(calls().map(({at: when}) => when - start)).toEqual([...Array(10).fill(0), 200, 400, 600, 800])
  })

  test('hangs with a call that hangs, and holds all the others', async () => {
    const {manager, put, at, requests, latencies} = statusWorld({profile: today})
    latencies.ms = Number.POSITIVE_INFINITY
    manager.setPodStatus(put(aPod()), runs)
    await at(1)
    latencies.ms = 0
    manager.setPodStatus(put(podAt(2)), runs)
    await at(3_600_000)
    expect(requests()).toEqual(['GET default/web'])
  })
})

describe('the batch', () => {
  test('writes again what somebody else changed', async () => {
    const {manager, put, at, requests, stored, logs} = statusWorld({profile: today})
    manager.setPodStatus(put(aPod()), runs)
    await at(9_000)
    put(aPod({status: {...runs, startTime: start, phase: 'Succeeded'}}))
    await at(20_000)
    expect(requests().map((each) => each.split(' ')[0])).toEqual(['GET', 'PATCH', 'GET', 'PATCH'])
    expect(stored.get('default/web')?.status.phase).toBe('Running')
    expect(logs()).toEqual([{kind: 'log', at: start + 10_000, text: 'Syncing all statuses', fields: {queued: 0, dropped: 0, dirty: 1}}])
  })

  test('leaves a pod alone of which somebody else set a condition that is none of the kubelet’s', async () => {
    const {manager, put, at, requests} = statusWorld({profile: today})
    manager.setPodStatus(put(aPod()), runs)
    await at(9_000)
    put(aPod({status: {...runs, startTime: start, conditions: [{type: 'example.com/gate', status: 'True'}]}}))
    await at(20_000)
    expect(requests()).toHaveLength(2)
  })

  test('goes through the pods in an order of the dice', async () => {
    const order = async (seed: number) => {
      const {manager, put, at, requests, failing} = statusWorld({profile: after, seed})
      failing.set('GET pod', new CallFailure('InternalError', 'not yet'))
      for (let index = 0; index < 6; index++) manager.setPodStatus(put(podAt(index)), runs)
      await at(1)
      failing.clear()
      await at(10_000)
      return requests().slice(6).join()
    }
    expect(await order(1)).toBe(await order(1))
    expect(await order(2)).not.toBe(await order(1))
  })
})

describe('the loop', () => {
  /** Three statuses of each of ten pods while the first call takes 15 s: then the tick and the channel are ready. */
  async function backlog(profile = before, seed = 1, firstCallMs = 15_000) {
    const world = statusWorld({profile, seed})
    const {manager, put, at, latencies} = world
    for (let index = 0; index < 10; index++) manager.setPodStatus(put(podAt(index)), aStatus())
    latencies.ms = firstCallMs
    await at(1)
    latencies.ms = 0
    for (const status of [runs, failed]) for (let index = 0; index < 10; index++) manager.setPodStatus(podAt(index), status)
    await at(15_001)
    return world
  }

  test.each([
    [false, 0, true],
    [true, 1, false],
  ])('with channel-flushed %s', async (on, whole, stale) => {
    const {logs, texts} = await backlog(switched('1.18.2', 'channel-flushed', on))
    const batch = logs().find(({text}) => text === 'Status Manager: syncing batch')?.fields as {queued: number; dropped: number}
    expect(batch.dropped).toBe(whole * batch.queued)
    expect(batch.queued).toBeGreaterThan(0)
    expect(texts().includes(upToDate)).toBe(stale)
  })

  test('takes the tick or the channel, as the dice have it, when both are ready', async () => {
    const first = async (seed: number) => {
      const {logs} = await backlog(after, seed)
      return logs().find(({text}) => text === 'Status Manager: syncing batch')?.fields?.queued
    }
    const queued = await Promise.all(Array.from({length: 20}, (_, seed) => first(seed)))
    // 29 elements are in the channel when the first call ends.
    expect(queued).toContain(29)
    expect(queued.some((each) => each !== 29)).toBe(true)
  })

  test('sends what is no longer true when nothing is dropped, and today not', async () => {
    const phases = async (version: string) => {
      // The tick comes when all is done.
      const {calls} = await backlog(profileOf(version), 1, 5000)
      return calls().flatMap(({request}) => (request.status ? [(request.status as PodStatus).phase] : []))
    }
    const count = (all: readonly string[], phase: string) => all.filter((each) => each === phase).length
    const now = await phases('1.36.2')
    // What the first wake-up found is written as it was found.
    expect([count(now, 'Pending'), count(now, 'Running'), count(now, 'Failed')]).toEqual([10, 0, 10])
    const once = await phases('1.17.3')
    expect([count(once, 'Pending'), count(once, 'Running'), count(once, 'Failed')]).toEqual([10, 10, 10])
  })

  test.each([
    [false, 3],
    [true, 1],
  ])('enters its closure once for each event, with loop-inside-closure %s', async (on, entries) => {
    const {manager, put, at} = statusWorld({profile: switched('1.17.3', 'loop-inside-closure', on)})
    manager.setPodStatus(put(aPod()), runs)
    await at(10_000)
    expect(manager.closureEntries()).toBe(entries)
  })

  test.each([
    [false, 1000, 1],
    [true, 1, 0],
  ])('with channel-wakes-only %s', async (on, room, skipped) => {
    const {manager, put, at, texts, requests, logs} = statusWorld({profile: switched('1.26.5', 'channel-wakes-only', on)})
    // The loop has no turn before all of them are there.
    for (let index = 0; index <= 1000; index++) manager.setPodStatus(put(podAt(index)), runs)
    expect(texts().filter((text) => text.endsWith('because the channel is full'))).toHaveLength(skipped)
    await at(9_999)
    const gets = requests().filter((each) => each.startsWith('GET'))
    expect(new Set(gets).size).toBe(on ? 1001 : room)
    await at(10_000)
    expect(requests().filter((each) => each.startsWith('PATCH'))).toHaveLength(1001)
    if (!on) expect(logs().at(-1)?.fields).toEqual({queued: 0, dropped: 0, dirty: 1})
  })

  test('tries what failed with the next wake-up, today', async () => {
    const {manager, put, at, failing, requests} = statusWorld({profile: today})
    failing.set('GET pod', new CallFailure('InternalError', 'not yet'))
    manager.setPodStatus(put(podAt(1)), runs)
    await at(1)
    failing.clear()
    manager.setPodStatus(put(podAt(2)), runs)
    await at(2)
    expect(requests().filter((each) => each === 'PATCH default/p1')).toHaveLength(1)
  })

  test('ends with its kubelet', async () => {
    const {manager, put, at, stop, requests} = statusWorld({profile: today})
    stop.abort()
    manager.setPodStatus(put(aPod()), runs)
    await at(60_000)
    expect(requests()).toEqual([])
  })

  test('gives the same calls at the same moments for the same seed', async () => {
    const [one, two] = await Promise.all([backlog(before, 7), backlog(before, 7)])
    expect(one.calls()).toEqual(two.calls())
  })
})

test('A batch of ten thousand pods of which none is new asks nobody', async () => {
  const {manager, put, at, requests} = statusWorld({profile: today})
  for (let index = 0; index < 10_000; index++) manager.setPodStatus(put(podAt(index)), runs)
  await at(9_999)
  const asked = requests().length
  await at(60_000)
  expect(asked).toBe(20_000)
  expect(requests()).toHaveLength(asked)
})
