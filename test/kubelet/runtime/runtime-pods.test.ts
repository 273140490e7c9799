import {expect, test} from 'vitest'
import {seeded} from '../../../src/base/dice.ts'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import type {CriContainer, CriSandbox} from '../../../src/kubelet/cri.ts'
import type {RemoteRuntime} from '../../../src/kubelet/runtime/remote-runtime.ts'
import {runtimeCache} from '../../../src/kubelet/runtime/runtime-cache.ts'
import {runningOf, runtimePodLister, runtimePodOf} from '../../../src/kubelet/runtime/runtime-pods.ts'
import {inRuntime} from '../../support/model-pods.ts'
import {sandboxOf} from '../../support/model-sandboxes.ts'

const other = {namespace: 'default', name: 'other', uid: 'u2'}
const sandboxes: readonly CriSandbox[] = [sandboxOf('s1'), sandboxOf('s2', {metadata: {...other, attempt: 0}, state: 'NOTREADY'})]
const containers: readonly CriContainer[] = [inRuntime('a', 'RUNNING'), inRuntime('b', 'EXITED'), inRuntime('c', 'EXITED', {pod: other})]

const runtimeWith = (lists: {sandboxes: readonly CriSandbox[]; containers: readonly CriContainer[]}) =>
  (async (method: string) => (method === 'ListPodSandbox' ? lists.sandboxes : lists.containers)) as RemoteRuntime

test('runtimePodLister() gives pods with what the lists have of them', async () => {
  const pods = await runtimePodLister(runtimeWith({sandboxes, containers}))()
  expect([...pods.values()].map(({uid, ...its}) => [uid, its.sandboxes.length, its.containers.length])).toEqual([
    ['u1', 1, 2],
    ['u2', 1, 1],
  ])
})

test('runtimePodLister() gives the same map for the same lists, and another for others', async () => {
  const lists = {sandboxes, containers}
  const list = runtimePodLister(runtimeWith(lists))
  const first = await list()
  expect(await list()).toBe(first)
  lists.containers = [...containers]
  expect(await list()).not.toBe(first)
})

test('runtimePodOf() gives one pod, whether the runtime narrows its lists or not', async () => {
  const pod = await runtimePodOf(runtimeWith({sandboxes, containers}), 'u2')
  expect(pod?.containers.map(({metadata}) => metadata.name)).toEqual(['c'])
  expect(await runtimePodOf(runtimeWith({sandboxes, containers}), 'u3')).toBeUndefined()
})

test('runningOf() gives pods of which something runs, with that alone', async () => {
  const running = runningOf(await runtimePodLister(runtimeWith({sandboxes, containers}))())
  expect([...running.values()].map(({uid, ...its}) => [uid, its.containers.map(({metadata}) => metadata.name)])).toEqual([['u1', ['a']]])
})

test('getPods() asks the runtime again after two seconds', async () => {
  const clock = simulatedClock(0)
  let asked = 0
  const cache = runtimeCache(clock, seeded(1), async () => {
    asked++
    return new Map()
  })
  await cache.getPods()
  await clock.run(1999)
  await cache.getPods()
  expect(asked).toBe(1)
  await clock.run(2001)
  await cache.getPods()
  expect(asked).toBe(2)
  await cache.update()
  expect(asked).toBe(3)
})
