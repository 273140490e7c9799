import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {create, type JsonValue, toJson} from '@bufbuild/protobuf'
import {type Client, createClient} from '@connectrpc/connect'
import {afterEach, expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {replayRoutes} from '../../../src/lab/replay/replay-routes.ts'
import type {RecordedCall} from '../../../src/node/recorded/recorded-call.ts'
import {openChannel} from '../../../src/wire/channel.ts'
import * as v1 from '../../../src/wire/gen/cri_pb.ts'
import * as v1alpha2 from '../../../src/wire/gen/cri-v1alpha2_pb.ts'
import {serveGrpc} from '../../../src/wire/serve-grpc.ts'
import {toRpcFailure} from '../../../src/wire/status.ts'

const stack: AsyncDisposable[] = []
afterEach(async () => {
  for (const each of stack.splice(0).reverse()) await each[Symbol.asyncDispose]()
})

async function serving(calls: readonly RecordedCall[]) {
  const folder = mkdtempSync(join(tmpdir(), 'kl-'))
  stack.push({[Symbol.asyncDispose]: async () => rmSync(folder, {recursive: true})})
  const path = join(folder, 's')
  stack.push(await serveGrpc({path, routes: replayRoutes(calls)}))
  const channel = await openChannel({path, clock: systemClock, connectTimeoutMs: 5000, callTimeoutMs: 5000}, 2 ** 24)
  stack.push({[Symbol.asyncDispose]: async () => channel[Symbol.dispose]()})
  return {
    runtime: createClient(v1.RuntimeService, channel.transport),
    older: createClient(v1alpha2.RuntimeService, channel.transport),
    images: createClient(v1.ImageService, channel.transport),
  }
}

const call = (method: string, request: JsonValue, response: JsonValue | undefined, more: Partial<RecordedCall> = {}): RecordedCall => ({
  socket: '/run/r.sock',
  at: 0,
  service: 'runtime.v1.RuntimeService',
  method,
  durationMs: 1,
  code: 'OK',
  request,
  ...(response !== undefined && {responses: [response]}),
  ...more,
})

const failure = async (ran: Promise<unknown>) => {
  const {code, message} = toRpcFailure(
    await ran.then(
      () => new Error('it did not fail'),
      (error: unknown) => error,
    ),
    'it',
  )
  return `${code} ${message.replace(/^it answered it with [A-Z_]+: /, '')}`
}

const pods = toJson(
  v1.ListPodSandboxResponseSchema,
  create(v1.ListPodSandboxResponseSchema, {
    items: [
      {id: 'aa11', state: v1.PodSandboxState.SANDBOX_READY, labels: {app: 'web'}},
      {id: 'aa22', state: v1.PodSandboxState.SANDBOX_NOTREADY, labels: {app: 'web'}},
      {id: 'bb33', state: v1.PodSandboxState.SANDBOX_READY, labels: {app: 'db'}},
    ],
  }),
)

const listed = async (runtime: Client<typeof v1.RuntimeService>, filter: Parameters<typeof runtime.listPodSandbox>[0]['filter']) =>
  (await runtime.listPodSandbox({...(filter && {filter})})).items.map(({id}) => id)

test('replayRoutes() filters a list as the runtime would, by whole ids and by their only beginning', async () => {
  const {runtime} = await serving([call('ListPodSandbox', {}, pods)])
  expect(await listed(runtime, undefined)).toEqual(['aa11', 'aa22', 'bb33'])
  expect(await listed(runtime, {})).toEqual(['aa11', 'aa22', 'bb33'])
  expect(await listed(runtime, {state: {state: v1.PodSandboxState.SANDBOX_READY}})).toEqual(['aa11', 'bb33'])
  expect(await listed(runtime, {labelSelector: {app: 'web'}, state: {state: v1.PodSandboxState.SANDBOX_NOTREADY}})).toEqual(['aa22'])
  expect(await listed(runtime, {id: 'bb'})).toEqual(['bb33'])
  expect(await listed(runtime, {id: 'aa'})).toEqual([])
})

test('replayRoutes() answers with the last of several answers, also that of a wider list', async () => {
  const later = {items: [{id: 'cc44'}]}
  const ready = {filter: {state: {}, labelSelector: {app: 'web'}}}
  const {runtime} = await serving([
    call('ListPodSandbox', ready, {items: [{id: 'old'}]}),
    call('ListPodSandbox', {}, pods),
    call('ListPodSandbox', {}, later),
  ])
  expect(await listed(runtime, {labelSelector: {app: 'none'}})).toEqual([])
  expect(await listed(runtime, undefined)).toEqual(['cc44'])
})

test('replayRoutes() makes no list out of one that was filtered by something else', async () => {
  const {runtime} = await serving([call('ListPodSandbox', {filter: {labelSelector: {app: 'web'}}}, pods)])
  expect(await listed(runtime, {labelSelector: {app: 'web'}, id: 'aa11'})).toEqual(['aa11'])
  expect(await failure(listed(runtime, undefined))).toBe('UNAVAILABLE not in the recording: only lists by other filters are')
})

const eachOf = async <T>(stream: AsyncIterable<T>): Promise<readonly T[]> => {
  const all: T[] = []
  for await (const each of stream) all.push(each)
  return all
}

const streamed = async (runtime: Client<typeof v1.RuntimeService>, filter?: Parameters<typeof runtime.streamPodSandboxes>[0]['filter']) => {
  const messages = await eachOf(runtime.streamPodSandboxes({...(filter && {filter})}))
  return messages.flatMap(({podSandboxes}) => podSandboxes.map(({id}) => id))
}

test('replayRoutes() answers a list out of a stream and a stream out of a list, by filters, with the newest of either', async () => {
  const parts = {responses: [{podSandboxes: [{id: 'aa11', labels: {app: 'web'}}]}, {podSandboxes: [{id: 'bb33', labels: {app: 'db'}}]}]}
  const stream = call('StreamPodSandboxes', {}, undefined, parts)
  const list = call('ListPodSandbox', {}, pods)
  for (const [calls, ids, web] of [
    [[stream], ['aa11', 'bb33'], ['aa11']],
    [[list], ['aa11', 'aa22', 'bb33'], ['aa11', 'aa22']],
    [[list, stream], ['aa11', 'bb33'], ['aa11']],
    [
      [stream, list],
      ['aa11', 'aa22', 'bb33'],
      ['aa11', 'aa22'],
    ],
  ] as const) {
    const {runtime} = await serving(calls)
    for (const ask of [listed, streamed]) {
      expect(await ask(runtime, undefined)).toEqual(ids)
      expect(await ask(runtime, {labelSelector: {app: 'web'}})).toEqual(web)
    }
  }
})

test('replayRoutes() makes no list of a stream that was filtered, broken off, not kept whole, or not known to the runtime', async () => {
  const part = {podSandboxes: [{id: 'aa11'}]}
  const some = await serving([call('StreamPodSandboxes', {filter: {id: 'aa11'}}, part)])
  expect(await failure(listed(some.runtime, undefined))).toBe('UNAVAILABLE not in the recording: only lists by other filters are')
  expect(await failure(streamed(some.runtime))).toBe('UNAVAILABLE not in the recording: only lists by other filters are')
  for (const more of [{code: 'CANCELLED'}, {unkept: 'more than 1000 messages'}]) {
    const {runtime} = await serving([call('StreamPodSandboxes', {}, part, more)])
    expect(await failure(listed(runtime, undefined))).toBe('UNAVAILABLE not in the recording')
  }
  const old = await serving([
    call('StreamPodSandboxes', {}, undefined, {code: 'UNIMPLEMENTED', message: 'unknown method'}),
    call('ListPodSandbox', {}, pods),
  ])
  expect(await failure(streamed(old.runtime))).toBe('UNIMPLEMENTED it does not implement it (unknown method)')
  expect(await listed(old.runtime, undefined)).toHaveLength(3)
})

test('replayRoutes() answers images, containers and stats out of streams, too', async () => {
  const {runtime, images} = await serving([
    call('StreamContainers', {}, {containers: [{id: 'c1', podSandboxId: 'aa11'}]}),
    call('StreamContainerStats', {}, {containerStats: [{attributes: {id: 'c1'}}]}),
    call('StreamImages', {}, {images: [{id: 'sha256:11', repoTags: ['docker.io/library/busybox:latest']}]}),
  ])
  expect((await runtime.listContainers({filter: {podSandboxId: 'aa11'}})).containers).toMatchObject([{id: 'c1'}])
  expect((await runtime.listContainerStats({})).stats).toMatchObject([{attributes: {id: 'c1'}}])
  expect((await images.listImages({})).images).toMatchObject([{id: 'sha256:11'}])
  expect((await images.imageStatus({image: {image: 'busybox'}})).image?.id).toBe('sha256:11')
  expect((await eachOf(images.streamImages({}))).flatMap((each) => each.images)).toMatchObject([{id: 'sha256:11'}])
})

test('replayRoutes() answers a status by the beginning of an id, verbose or not, and an unknown id as containerd', async () => {
  const status = {status: {id: 'aa11', exitCode: 3}, info: {info: '{"pid":7}'}}
  const {runtime} = await serving([call('ContainerStatus', {containerId: 'aa11', verbose: true}, status)])
  expect(await runtime.containerStatus({containerId: 'aa', verbose: true})).toMatchObject({
    status: {exitCode: 3},
    info: {info: '{"pid":7}'},
  })
  expect((await runtime.containerStatus({containerId: 'aa11'})).info).toEqual({})
  expect(await failure(runtime.containerStatus({containerId: 'zz'}))).toBe(
    'NOT_FOUND an error occurred when try to find container "zz": not found',
  )
  expect(await failure(runtime.podSandboxStatus({podSandboxId: 'zz'}))).toBe(
    'NOT_FOUND an error occurred when try to find sandbox: not found',
  )
})

test('replayRoutes() answers a recorded error with its code and message, but one that nobody had answered with nothing', async () => {
  const {runtime} = await serving([
    call('Status', {}, undefined, {code: 'INTERNAL', message: 'the disk is full'}),
    call('RuntimeConfig', {}, undefined, {code: 'DEADLINE_EXCEEDED', timeoutMs: 2000, durationMs: 2000}),
    call('ListPodSandbox', {}, undefined, {code: 'DEADLINE_EXCEEDED', message: 'its own', timeoutMs: 2000, durationMs: 10}),
  ])
  expect(await failure(runtime.status({}))).toBe('INTERNAL the disk is full')
  expect(await failure(runtime.listPodSandbox({}))).toBe('DEADLINE_EXCEEDED its own')
  const given = new AbortController()
  const held = failure(runtime.runtimeConfig({}, {signal: given.signal}))
  expect(await Promise.race([held, systemClock.sleep(200).then(() => 'held')])).toBe('held')
  given.abort()
  expect(await held).toMatch(/^CANCELLED/)
})

test('replayRoutes() refuses what would change something, recorded or not', async () => {
  const {runtime, images} = await serving([call('StopContainer', {containerId: 'aa11'}, {})])
  for (const ran of [
    runtime.stopContainer({containerId: 'aa11'}),
    runtime.removePodSandbox({podSandboxId: 'aa11'}),
    images.removeImage({}),
  ])
    expect(await failure(ran)).toBe('FAILED_PRECONDITION a replay is read-only')
})

test('replayRoutes() answers in v1 and in v1alpha2, and says in which', async () => {
  const {runtime, older} = await serving([
    call('Version', {version: 'v1'}, {version: '0.1.0', runtimeName: 'containerd', runtimeVersion: '1.7.0', runtimeApiVersion: 'v1'}),
    call('ListPodSandbox', {}, pods),
  ])
  expect(await runtime.version({})).toMatchObject({runtimeName: 'containerd', runtimeApiVersion: 'v1'})
  expect(await older.version({})).toMatchObject({runtimeName: 'containerd', runtimeApiVersion: 'v1alpha2'})
  expect((await older.listPodSandbox({})).items).toHaveLength(3)
})

test.each(['busybox', 'docker.io/library/busybox:latest', 'sha256:abcd', 'abcd', 'ab'])(
  'replayRoutes() knows an image by %s',
  async (image) => {
    const busybox = {id: 'sha256:abcd', repoTags: ['docker.io/library/busybox:latest'], size: '5'}
    const {images} = await serving([
      call('ListImages', {}, {images: [busybox]}),
      call('ImageStatus', {image: {image: 'sha256:abcd'}, verbose: true}, {image: busybox, info: {info: '{}'}}),
    ])
    expect(await images.imageStatus({image: {image}, verbose: true})).toMatchObject({
      image: {id: 'sha256:abcd', size: 5n},
      info: {info: '{}'},
    })
    expect((await images.imageStatus({image: {image}})).info).toEqual({})
    expect((await images.imageStatus({image: {image: 'another'}})).image).toBeUndefined()
  },
)
