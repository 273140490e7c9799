import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {known} from '../../../src/node/reading.ts'
import type {ProcessLook} from '../../../src/node/runtime/container-look.ts'
import {readRuntime} from '../../../src/node/runtime/read-runtime.ts'
import {ContainerState} from '../../../src/wire/gen/cri_pb.ts'
import {type FakeRuntimeOptions, fakeRuntime} from '../../support/fake-runtime.ts'
import {hostTree} from '../../support/host-tree.ts'
import {garbageServer, silentServer} from '../../support/listening.ts'

const endpoint = 'unix:///x.sock'

interface Asking {
  readonly deadlineMs?: number
  readonly look?: (pid: number) => ProcessLook | undefined
  readonly signal?: AbortSignal
}

/** Of a node with this socket; /x.sock is the user's. */
async function ask(serve: (path: string) => Promise<AsyncDisposable> | undefined, {deadlineMs = 9000, look, signal}: Asking = {}) {
  const {host, root} = await hostTree({})
  await using _server = await serve(join(root, 'x.sock'))
  const {readings, warnings} = await readRuntime(
    {runtimeEndpoint: endpoint},
    {
      host,
      clock: systemClock,
      signal: signal ?? new AbortController().signal,
      waiting: new Set(),
      spawnStatWorker: () => {
        throw new Error('no stat worker in this test')
      },
      openBundle: async () => {
        throw new Error('no bundle in this test')
      },
      deadlineMs,
      living: Promise.resolve(new Set<string>()),
      lookAtProcess: Promise.resolve(look),
    },
  )
  return {readings, warnings}
}

const runtime = (options: Omit<FakeRuntimeOptions, 'path'>) => (path: string) => fakeRuntime({path, ...options})
const app = {id: 'a', metadata: {name: 'app', attempt: 0}, state: ContainerState.CONTAINER_RUNNING, createdAt: 5n}
const other = {...app, id: 'b'}

/** 'Status silent' … */
function callsOf(readings: Awaited<ReturnType<typeof ask>>['readings']): string[] {
  const answers = known(readings['runtime.answers'])
  return (answers?.calls ?? []).map(({method, outcome}) => `${method} ${outcome.state}`)
}

const allAnswered = ['connect', 'Version', 'Status', 'ListPodSandbox', 'ListContainers', 'ListImages'].map((each) => `${each} answered`)

describe('readRuntime() of a runtime that answers', () => {
  test('reads the lists, each call, the conditions, and each status with its process', async () => {
    const statuses = {
      a: {status: {...app, startedAt: 6n}, info: {info: '{"pid":7,"runtimeType":"io.containerd.runc.v2","config":{"envs":["S"]}}'}},
    }
    const conditions = [{type: 'NetworkReady', status: false, reason: 'NetworkPluginNotReady', message: 'cni'}]
    const look = (pid: number): ProcessLook => ({state: 'there', startedAt: pid, containerId: 'a'})
    const {readings} = await ask(runtime({sandboxes: [{id: 's'}], containers: [app], statuses, conditions}), {look})
    expect(readings).toMatchObject({
      'runtime.sandboxes': {state: 'read', value: [{id: 's'}]},
      'runtime.containers': {state: 'read', value: [{id: 'a'}]},
      'runtime.answers': {
        state: 'read',
        value: {endpoint, source: '--runtime-endpoint', told: true, name: 'fake', version: 'v1.2.3', conditions},
      },
    })
    expect(callsOf(readings)).toEqual(allAnswered)
    expect(known(readings['runtime.container-status'])).toEqual([
      {
        id: 'a',
        outcome: {state: 'answered', tookMs: expect.any(Number)},
        status: {state: ContainerState.CONTAINER_RUNNING, createdAt: 5n, startedAt: 6n, finishedAt: 0n, exitCode: 0, reason: ''},
        pid: 7,
        runtime: 'io.containerd.runc.v2',
        process: {state: 'there', startedAt: 7, containerId: 'a'},
      },
    ])
  })

  test('has no look at a process where nobody may have one', async () => {
    const statuses = {a: {status: app, info: {info: '{"pid":7}'}}}
    const {readings} = await ask(runtime({containers: [app], statuses}))
    expect(known(readings['runtime.container-status'])?.[0]).not.toHaveProperty('process')
  })
})

const deadlineMs = 600

describe('readRuntime() of a runtime of which one call hangs', () => {
  test.each(['Status', 'ListPodSandbox', 'ListImages'])('%s costs no other reading', async (method) => {
    const {readings} = await ask(runtime({sandboxes: [{id: 's'}], containers: [app], hangs: [method]}), {deadlineMs})
    expect(callsOf(readings)).toEqual(allAnswered.map((each) => (each.startsWith(`${method} `) ? `${method} silent` : each)))
    expect(readings['runtime.sandboxes'].state).toBe(method === 'ListPodSandbox' ? 'failed' : 'read')
    expect(readings).toMatchObject({
      'runtime.containers': {state: 'read', value: [{id: 'a'}]},
      'runtime.container-status': {state: 'read', value: [{id: 'a', outcome: {state: 'answered'}}]},
    })
  })

  test('ListContainers costs the statuses, and nothing else', async () => {
    const {readings} = await ask(runtime({sandboxes: [{id: 's'}], containers: [app], hangs: ['ListContainers']}), {deadlineMs})
    expect(callsOf(readings)).toEqual(allAnswered.map((each) => each.replace('ListContainers answered', 'ListContainers silent')))
    expect(readings).toMatchObject({
      'runtime.sandboxes': {state: 'read', value: [{id: 's'}]},
      'runtime.containers': {state: 'failed'},
      'runtime.container-status': {state: 'failed', why: 'the containers were not listed'},
    })
  })

  test('the status of one container costs no other container', async () => {
    const {readings} = await ask(runtime({containers: [app, other], hangs: ['ContainerStatus a']}), {deadlineMs})
    expect(callsOf(readings)).toEqual(allAnswered)
    expect(readings['runtime.container-status']).toMatchObject({
      state: 'read',
      value: [
        {id: 'a', outcome: {state: 'silent'}},
        {id: 'b', outcome: {state: 'answered'}},
      ],
    })
  })

  test('says how long it waited, for whoever asks whether that was enough', async () => {
    const {readings} = await ask(runtime({hangs: ['Status']}), {deadlineMs})
    const waited = known(readings['runtime.answers'])?.calls.flatMap(({outcome}) => (outcome.state === 'silent' ? [outcome.waitedMs] : []))
    expect(waited).toEqual([expect.any(Number)])
  })
})

describe('readRuntime() of a runtime that is not reached', () => {
  test.each<[string, (path: string) => Promise<AsyncDisposable> | undefined, object[]]>([
    [
      'no socket',
      () => undefined,
      [{method: 'connect', outcome: {state: 'failed', kind: 'missing', code: 'UNAVAILABLE', why: 'there is no socket /x.sock'}}],
    ],
    ['a socket that says nothing', silentServer, [{method: 'connect', outcome: {state: 'silent', waitedMs: 200}}]],
    ['a socket that is none of gRPC', garbageServer, [{method: 'connect', outcome: {state: 'failed', kind: 'not-grpc'}}]],
    [
      'a Version that hangs',
      runtime({hangs: ['Version']}),
      [
        {method: 'connect', outcome: {state: 'answered'}},
        {method: 'Version', outcome: {state: 'silent', waitedMs: 300}},
      ],
    ],
    [
      'containerd without its CRI plugin',
      runtime({api: 'none'}),
      [
        {method: 'connect', outcome: {state: 'answered'}},
        {method: 'Version', outcome: {state: 'failed', kind: 'no-service', code: 'UNIMPLEMENTED'}},
      ],
    ],
    [
      'one that is starting',
      runtime({starting: true}),
      [
        {method: 'connect', outcome: {state: 'answered'}},
        {
          method: 'Version',
          outcome: {state: 'failed', kind: 'answered', code: 'UNKNOWN', why: expect.stringContaining('server is not initialized yet')},
        },
      ],
    ],
  ])('tells of %s how far it came', async (_what, serve, calls) => {
    const {readings} = await ask(serve, {deadlineMs})
    expect(readings).toMatchObject({
      'runtime.answers': {state: 'read', value: {endpoint, source: '--runtime-endpoint', told: true, calls, conditions: []}},
      'runtime.containers': {state: 'failed'},
      'runtime.sandboxes': {state: 'failed'},
      'runtime.container-status': {state: 'failed'},
    })
  })

  test('ends with the reason of its signal', async () => {
    const reason = new Error('enough')
    await expect(ask(runtime({hangs: 'lists'}), {signal: AbortSignal.abort(reason)})).rejects.toBe(reason)
  })
})
