import {expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import type {CriContainerStatus} from '../../../src/kubelet/cri.ts'
import {generateEvents, genericPleg, type PlegEvent, plegStateOf} from '../../../src/kubelet/pleg/pleg.ts'
import {podCache} from '../../../src/kubelet/pleg/pod-cache.ts'
import {CallFailure} from '../../../src/kubelet/port.ts'
import {remoteRuntime} from '../../../src/kubelet/runtime/remote-runtime.ts'
import {runtimePodLister} from '../../../src/kubelet/runtime/runtime-pods.ts'
import {inRuntime} from '../../support/model-pods.ts'

test.each([
  ['non-existent', 'running', ['ContainerStarted']],
  ['unknown', 'running', ['ContainerStarted']],
  ['exited', 'running', ['ContainerStarted']],
  ['running', 'exited', ['ContainerDied']],
  ['unknown', 'exited', ['ContainerDied']],
  ['non-existent', 'exited', ['ContainerDied']],
  ['non-existent', 'unknown', ['ContainerChanged']],
  ['running', 'unknown', ['ContainerChanged']],
  ['exited', 'non-existent', ['ContainerRemoved']],
  ['running', 'non-existent', ['ContainerDied', 'ContainerRemoved']],
  ['unknown', 'non-existent', ['ContainerDied', 'ContainerRemoved']],
  ['running', 'running', []],
] as const)('generateEvents() from %s to %s', (before, now, types) => {
  expect(generateEvents('u', 'id', before, now)).toEqual(types.map((type) => ({uid: 'u', type, id: 'id'})))
})

test.each([
  ['CREATED', 'unknown'],
  ['UNKNOWN', 'unknown'],
  ['RUNNING', 'running'],
  ['EXITED', 'exited'],
  ['READY', 'running'],
  ['NOTREADY', 'exited'],
] as const)('plegStateOf() takes %s for %s', (state, expected) => {
  expect(plegStateOf(state)).toBe(expected)
})

/** A runtime with one container, which counts how often it is asked for more than its lists. */
function pleg() {
  let containers: readonly CriContainerStatus[] = []
  let broken = false
  let inspections = 0
  const answers: Record<string, () => unknown> = {
    ListPodSandbox: () => none,
    ListContainers: () => containers,
    ContainerStatus: () => {
      inspections++
      if (broken) throw new CallFailure('DEADLINE_EXCEEDED', 'context deadline exceeded')
      return containers[0]
    },
  }
  const runtime = remoteRuntime({call: async (method) => answers[method]?.() as never}, new AbortController().signal)
  const cache = podCache()
  const events: PlegEvent[] = []
  const logs: string[] = []
  let room = 1000
  const made = genericPleg({
    clock: simulatedClock(1000),
    runtime,
    getPods: runtimePodLister(runtime),
    cache,
    send: (event) => room-- > 0 && events.push(event) > 0,
    log: ({text}) => logs.push(text),
  })
  return {
    ...made,
    cache,
    events,
    logs,
    inspections: () => inspections,
    set: (...next: CriContainerStatus[]) => {
      containers = next
    },
    break: (is: boolean) => {
      broken = is
    },
    fill: () => {
      room = 0
    },
  }
}

const none: readonly never[] = []

test('relist() tells of an exit once and has the cache refreshed by then', async () => {
  const node = pleg()
  node.set(inRuntime('c', 'RUNNING'))
  await node.relist()
  node.set(inRuntime('c', 'EXITED', {exitCode: 1}))
  await node.relist()
  await node.relist()
  expect(node.events.map(({type}) => type)).toEqual(['ContainerStarted', 'ContainerDied'])
  expect(node.cache.get('u1')).toMatchObject({status: {containers: [{state: 'EXITED', exitCode: 1}]}})
})

test('relist() keeps the events of a pod that it could not inspect for the next time', async () => {
  const node = pleg()
  node.set(inRuntime('c', 'EXITED'))
  node.break(true)
  await node.relist()
  expect(node.events).toEqual([])
  expect(node.cache.get('u1')).toHaveProperty('error')
  node.break(false)
  await node.relist()
  expect(node.events.map(({type}) => type)).toEqual(['ContainerDied'])
  expect(node.cache.get('u1')).toHaveProperty('status')
})

test('relist() asks for no more than the lists when they are the same as before', async () => {
  const node = pleg()
  node.set(inRuntime('c', 'RUNNING'))
  await node.relist()
  expect(node.inspections()).toBe(1)
  await node.relist()
  expect(node.inspections()).toBe(1)
})

test('relist() says nothing of a container that is created', async () => {
  const node = pleg()
  node.set(inRuntime('c', 'CREATED'))
  await node.relist()
  expect(node.events).toEqual([])
  expect(node.cache.get('u1')).toMatchObject({status: {containers: [{state: 'CREATED'}]}})
})

test('relist() drops what does not fit into the channel', async () => {
  const node = pleg()
  node.fill()
  node.set(inRuntime('c', 'RUNNING'))
  await node.relist()
  await node.relist()
  expect(node.events).toEqual([])
  expect(node.logs).toEqual(['event channel is full, discard this relist() cycle event'])
})
