import {expect, test} from 'vitest'
import {seeded} from '../../../src/base/dice.ts'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import type {ContainerState, PodStatus, RestartPolicy} from '../../../src/kubelet/pod.ts'
import type {ApiMethods, PodEvent} from '../../../src/kubelet/ports.ts'
import {apiServer} from '../../../src/lab/api-server/api-server.ts'
import {describeApi} from '../../../src/lab/api-server/describe-api.ts'
import {deadlines} from '../../../src/lab/port/deadlines.ts'
import {faultyPort} from '../../../src/lab/port/faulty-port.ts'
import {ruleBook} from '../../../src/lab/port/rule-book.ts'
import {labImage} from '../../../src/lab/runtime/images.ts'
import {timeline} from '../../../src/timeline/timeline.ts'
import {outcomeWithin} from '../../support/simulated-run.ts'

const start = 1_000_000_000_500

function lab() {
  const clock = simulatedClock(start)
  const events = timeline(clock.now)
  const api = apiServer(clock, events, seeded(1))
  const port = faultyPort<ApiMethods>(api.server, {
    clock,
    timeline: events,
    rules: ruleBook(),
    deadlines: deadlines(clock),
    describe: describeApi,
  })
  const ask = async (work: () => Promise<unknown>) => (await outcomeWithin(clock, 20, work))?.value
  const create = (more: {finalizers?: string[]; restartPolicy?: RestartPolicy} = {}) => {
    const {restartPolicy = 'Always', ...metadata} = more
    return ask(() => api.create({metadata: {name: 'a', ...metadata}, spec: {restartPolicy, containers: [{name: 'c'}]}}))
  }
  const uid = () => api.get('default/a')?.metadata.uid ?? ''
  const patch = (status: Partial<PodStatus>, as = uid()) => {
    const whole: PodStatus = {phase: 'Running', conditions: [], initContainerStatuses: [], containerStatuses: [], ...status}
    return ask(() => port.call('PATCH pod/status', {namespace: 'default', name: 'a', uid: as, status: whole}, {timeoutMs: 1000}))
  }
  const remove = (as = uid()) =>
    ask(() => port.call('DELETE pod', {namespace: 'default', name: 'a', uid: as, gracePeriodSeconds: 0}, {timeoutMs: 1000}))
  const get = () => ask(() => port.call('GET pod', {namespace: 'default', name: 'a'}, {timeoutMs: 1000}))
  const seen = () => events.events.flatMap((event) => (event.kind === 'object' ? [event.type] : []))
  return {clock, api, events, ask, create, patch, remove, get, seen, uid}
}

const watched = (heard: string[]) => (event: PodEvent) =>
  void heard.push(`${event.type} ${event.pod.metadata.name} ${event.pod.metadata.resourceVersion}`)

test('create() gives a pod its defaults, whole seconds and a uid', async () => {
  const {ask, api} = lab()
  const pod = await ask(() =>
    api.create({metadata: {name: 'a'}, spec: {containers: [{name: 'c'}, {name: 'd', image: 'busybox', command: ['true']}]}}),
  )
  expect(pod).toEqual({
    metadata: {
      namespace: 'default',
      name: 'a',
      uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      resourceVersion: 1,
      creationTimestamp: start - 500,
    },
    spec: {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      containers: [
        {name: 'c', image: labImage, command: [], imagePullPolicy: 'IfNotPresent'},
        {name: 'd', image: 'busybox', command: ['true'], imagePullPolicy: 'Always'},
      ],
    },
    status: {
      phase: 'Pending',
      conditions: [{type: 'PodScheduled', status: 'True', lastTransitionTime: start - 500}],
      initContainerStatuses: [],
      containerStatuses: [],
    },
  })
})

test.each([
  ['busybox', 'Always'],
  ['busybox:latest', 'Always'],
  ['host:5000/busybox', 'Always'],
  ['busybox:1.36', 'IfNotPresent'],
  ['host:5000/busybox:1.36', 'IfNotPresent'],
  ['busybox@sha256:0', 'IfNotPresent'],
])('create() pulls %s %s by default', async (image, policy) => {
  const {ask, api} = lab()
  const pod = await ask(() => api.create({metadata: {name: 'a'}, spec: {containers: [{name: 'c', image}]}}))
  expect(pod).toMatchObject({spec: {containers: [{imagePullPolicy: policy}]}})
})

test('a pod of the same name is refused while there is one, and is another one after it', async () => {
  const {create, remove, uid, patch} = lab()
  await create()
  const first = uid()
  expect(await create()).toBe('AlreadyExists')
  await remove()
  await create()
  expect(uid()).not.toBe(first)
  expect(await patch({}, first)).toBe('Conflict')
  expect(await remove(first)).toBe('Conflict')
})

test('GET, PATCH and DELETE of a pod that is not there are NotFound', async () => {
  const {get, patch, remove} = lab()
  expect([await get(), await patch({}), await remove()]).toEqual(['NotFound', 'NotFound', 'NotFound'])
})

test('PATCH writes whole seconds, once', async () => {
  const {create, patch, api, seen, get} = lab()
  await create()
  const ended: ContainerState = {terminated: {exitCode: 1, startedAt: 5999, finishedAt: 6001}}
  const container = {name: 'c', image: labImage, ready: false, restartCount: 1}
  const status = {
    startTime: 4200,
    conditions: [{type: 'Ready', status: 'True' as const, lastTransitionTime: 7500}],
    containerStatuses: [{...container, state: {running: {startedAt: 9001}}, lastState: ended}],
    initContainerStatuses: [
      {...container, name: 'i', state: ended},
      {...container, name: 'j', state: {waiting: {reason: 'x'}}},
    ],
  }
  const cut = {terminated: {exitCode: 1, startedAt: 5000, finishedAt: 6000}}
  const answer = await patch(status)
  expect(answer).toMatchObject({
    metadata: {resourceVersion: 2},
    status: {
      startTime: 4000,
      conditions: [{type: 'Ready', status: 'True', lastTransitionTime: 7000}],
      containerStatuses: [{state: {running: {startedAt: 9000}}, lastState: cut}],
      initContainerStatuses: [{state: cut}, {state: {waiting: {reason: 'x'}}}],
    },
  })
  expect(await patch(status)).toBe(answer)
  expect(await get()).toBe(answer)
  expect(api.get('default/a')).toBe(answer)
  expect(seen()).toEqual(['ADDED', 'MODIFIED'])
})

const ended = (exitCode: number): ContainerState => ({terminated: {exitCode}})
const waiting: ContainerState = {waiting: {reason: 'ContainerCreating'}}

test.each<[RestartPolicy, ContainerState, ContainerState, string]>([
  ['Never', ended(1), waiting, 'Invalid'],
  ['Never', ended(1), {running: {startedAt: 0}}, 'Invalid'],
  ['Never', ended(1), ended(0), 'OK'],
  ['Never', waiting, ended(0), 'OK'],
  ['OnFailure', ended(1), waiting, 'OK'],
  ['OnFailure', ended(0), waiting, 'Invalid'],
  ['Always', ended(0), waiting, 'OK'],
])('PATCH with restartPolicy %s from %j to %j is %s', async (restartPolicy, before, after, outcome) => {
  for (const list of ['containerStatuses', 'initContainerStatuses'] as const) {
    const {create, patch} = lab()
    await create({restartPolicy})
    const status = (state: ContainerState) => ({[list]: [{name: 'c', image: labImage, ready: false, restartCount: 0, state}]})
    await patch(status(before))
    const answer = await patch(status(after))
    expect(typeof answer === 'string' ? answer : 'OK').toBe(outcome)
  }
})

// What a watcher sees of each: graceful-deletion.test.ts has the rules.
test.each<[string, (it: ReturnType<typeof lab>) => Promise<unknown>, string[]]>([
  ['a running pod', async ({ask, api}) => ask(() => api.delete('default/a')), ['MODIFIED']],
  ['a running pod, with grace 0', async ({ask, api}) => ask(() => api.delete('default/a', 0)), ['MODIFIED', 'DELETED']],
  [
    'a pod that the kubelet ends',
    async ({ask, api, remove}) => {
      await ask(() => api.delete('default/a'))
      await remove()
    },
    ['MODIFIED', 'MODIFIED', 'DELETED'],
  ],
  [
    'a pod that has failed',
    async ({ask, api, patch}) => {
      await patch({phase: 'Failed'})
      await ask(() => api.delete('default/a'))
    },
    ['MODIFIED', 'MODIFIED', 'DELETED'],
  ],
])('a watcher sees of %s that is deleted', async (_, act, seen) => {
  const it = lab()
  await it.create()
  await act(it)
  expect(it.seen()).toEqual(['ADDED', ...seen])
})

test('a finalizer holds a pod until it is removed after the kubelet is done', async () => {
  const {create, ask, api, remove, seen} = lab()
  await create({finalizers: ['example.com/hold']})
  await ask(() => api.delete('default/a'))
  await remove()
  expect(api.get('default/a')?.metadata).toMatchObject({deletionGracePeriodSeconds: 0, finalizers: ['example.com/hold']})
  await remove()
  expect(seen()).toEqual(['ADDED', 'MODIFIED', 'MODIFIED'])
  await ask(() => api.removeFinalizers('default/a'))
  expect(api.get('default/a')).toBeUndefined()
  expect(seen()).toEqual(['ADDED', 'MODIFIED', 'MODIFIED', 'DELETED'])
})

test('a finalizer that is removed before the grace is over leaves the pod', async () => {
  const {create, ask, api, remove, seen} = lab()
  await create({finalizers: ['example.com/hold']})
  await ask(() => api.delete('default/a'))
  await ask(() => api.removeFinalizers('default/a'))
  expect(api.get('default/a')?.metadata).not.toHaveProperty('finalizers')
  await remove()
  expect(seen()).toEqual(['ADDED', 'MODIFIED', 'MODIFIED', 'MODIFIED', 'DELETED'])
})

test('watchPods() tells a new watcher of all pods, then of each change in order, and ends with its signal', async () => {
  const {api, ask, clock, create, patch, remove} = lab()
  const first: string[] = []
  const second: string[] = []
  const gone = new AbortController()
  api.watchPods(watched(first), gone.signal)
  await create()
  await ask(() => api.create({metadata: {name: 'b'}, spec: {containers: []}}))
  await patch({})
  api.watchPods(watched(second), new AbortController().signal)
  expect(second).toEqual([])
  await clock.run(clock.now() + 20)
  gone.abort()
  await remove()
  await clock.run(clock.now() + 20)
  expect(first).toEqual(['ADDED a 1', 'ADDED b 2', 'MODIFIED a 3'])
  expect(second).toEqual(['ADDED a 3', 'ADDED b 2', 'MODIFIED a 4', 'DELETED a 5'])
})

test('watchPods() misses nothing and repeats nothing of what changes while it begins', async () => {
  const {api, clock} = lab()
  for (let index = 0; index < 50; index++) void api.create({metadata: {name: `p${index}`}, spec: {containers: []}})
  const heard: string[][] = []
  for (let ms = 0; ms < 12; ms++) {
    const own: string[] = []
    heard.push(own)
    void clock.sleep(ms).then(() => api.watchPods(({type, pod}) => own.push(`${type} ${pod.metadata.name}`), new AbortController().signal))
  }
  await clock.run(start + 100)
  for (const own of heard) {
    expect(own).toHaveLength(50)
    expect(new Set(own).size).toBe(50)
  }
})
