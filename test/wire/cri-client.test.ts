import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import type {ChannelOptions} from '../../src/wire/channel.ts'
import {openCri} from '../../src/wire/cri-client.ts'
import {type FakeRuntimeOptions, fakeRuntime} from '../support/fake-runtime.ts'
import {closingServer, garbageServer, http1Server, pageServer, silentServer} from '../support/listening.ts'
import {tempDir} from '../support/socket-dir.ts'

const open = (path: string, options: Partial<ChannelOptions> = {}) =>
  openCri({path, clock: systemClock, connectTimeoutMs: 5000, callTimeoutMs: 5000, ...options})

const fake = (options: Omit<FakeRuntimeOptions, 'path'>) => fakeRuntime({path: join(tempDir(), 's'), ...options})

const two = {
  sandboxes: [{id: 'a', metadata: {name: 'web', uid: 'u', namespace: 'default', attempt: 1}}, {id: 'b'}],
  containers: [{id: 'c'}, {id: 'd'}],
}

describe('openCri()', () => {
  test('asks for the version', async () => {
    await using runtime = await fake({name: 'containerd'})
    await using client = await open(runtime.path)
    expect(client.runtime).toEqual({name: 'containerd', version: 'v1.2.3', api: 'v1'})
    expect(runtime.calls).toEqual(['Version'])
  })

  test('reaches an abstract socket', async () => {
    await using runtime = await fakeRuntime({path: `@kl-test-${process.pid}`})
    await using client = await open(runtime.path)
    expect(client.runtime.name).toBe('fake')
  })

  test('falls back to v1alpha2', async () => {
    await using runtime = await fake({api: 'v1alpha2', ...two})
    await using client = await open(runtime.path)
    expect(client.runtime.api).toBe('v1alpha2')
    expect((await client.listPodSandbox(undefined)).items.map(({id}) => id)).toEqual(['a', 'b'])
    expect((await client.listContainers(undefined)).items.map(({id}) => id)).toEqual(['c', 'd'])
    expect(runtime.calls).toEqual(['Version', 'ListPodSandbox', 'ListContainers'])
  })

  test.for([
    ['an absent socket', 'missing', /^there is no socket .*\/s$/],
    ['a file', 'refused', /^nobody listens on/],
  ] as const)('tells of %s', async ([what, kind, message]) => {
    const path = join(tempDir(), 's')
    if (what === 'a file') writeFileSync(path, '')
    await expect(open(path)).rejects.toMatchObject({kind, message: expect.stringMatching(message)})
  })

  test.for([
    ['garbage', garbageServer, 'not-grpc', /does not speak gRPC$/],
    ['HTTP/1.1', http1Server, 'not-grpc', /does not speak gRPC$/],
    ['a server that closes', closingServer, 'not-grpc', /closed the connection at once$/],
    ['web pages', pageServer, 'not-grpc', /^it answered Version with something other than gRPC/],
  ] as const)('tells of %s', async ([, server, kind, message]) => {
    await using listening = await server(join(tempDir(), 's'))
    await expect(open(listening.path)).rejects.toMatchObject({kind, message: expect.stringMatching(message)})
  })

  test('tells of a server that says nothing', async () => {
    await using listening = await silentServer(join(tempDir(), 's'))
    await expect(open(listening.path, {connectTimeoutMs: 20})).rejects.toMatchObject({
      kind: 'silent',
      message: expect.stringMatching(/takes connections but has said nothing for \d+ms$/),
    })
  })

  test('tells of a runtime that does not answer Version', async () => {
    await using runtime = await fake({hangs: 'all'})
    await expect(open(runtime.path, {callTimeoutMs: 20})).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      kind: 'silent',
      message: expect.stringMatching(/^it has not answered Version for \d+ms$/),
    })
  })

  test('tells of a gRPC server that is no runtime', async () => {
    await using runtime = await fake({api: 'none'})
    await expect(open(runtime.path)).rejects.toMatchObject({
      code: 'UNIMPLEMENTED',
      kind: 'no-service',
      message: 'it speaks gRPC but is no container runtime: it serves neither runtime.v1 nor runtime.v1alpha2',
    })
  })

  test('passes on what a runtime says that is still starting', async () => {
    await using runtime = await fake({starting: true})
    await expect(open(runtime.path)).rejects.toMatchObject({
      code: 'UNKNOWN',
      kind: 'answered',
      message: 'it answered Version with UNKNOWN: server is not initialized yet',
    })
  })

  test('gives up with the reason of its signal', async () => {
    await using listening = await silentServer(join(tempDir(), 's'))
    const controller = new AbortController()
    const opening = open(listening.path, {signal: controller.signal})
    const reason = new Error('interrupted')
    controller.abort(reason)
    await expect(opening).rejects.toBe(reason)
  })
})

describe('CriClient', () => {
  test('streams a list where the runtime does', async () => {
    await using runtime = await fake({streams: 'works', ...two})
    await using client = await open(runtime.path)
    expect((await client.listPodSandbox(undefined)).items.map(({id}) => id)).toEqual(['a', 'b'])
    expect((await client.listContainers(undefined)).items.map(({id}) => id)).toEqual(['c', 'd'])
    expect(runtime.calls).toEqual(['Version', 'StreamPodSandboxes', 'StreamContainers'])
  })

  test('asks for the whole list where the runtime does not stream', async () => {
    await using runtime = await fake(two)
    await using client = await open(runtime.path)
    expect((await client.listPodSandbox(undefined)).items).toHaveLength(2)
    expect(runtime.calls).toEqual(['Version', 'StreamPodSandboxes', 'ListPodSandbox'])
  })

  test('keeps what came before a stream broke, marked incomplete', async () => {
    await using runtime = await fake({streams: 'breaks', ...two})
    await using client = await open(runtime.path)
    const listed = await client.listPodSandbox(undefined)
    expect(listed.items.map(({id}) => id)).toEqual(['a'])
    expect(listed.incomplete).toBe('the stream broke after 1: it answered StreamPodSandboxes with UNAVAILABLE: the runtime went away')
  })

  test('keeps what came before a stream stalled', async () => {
    await using runtime = await fake({streams: 'stalls', ...two})
    await using client = await open(runtime.path)
    const listed = await client.listContainers(undefined, {deadlineMs: 200})
    expect(listed).toMatchObject({
      items: [{id: 'c'}],
      incomplete: expect.stringMatching(/^the stream broke after 1: it has not answered ListContainers for \d+ms$/),
    })
  })

  test('sends filters to the runtime', async () => {
    await using runtime = await fake(two)
    await using client = await open(runtime.path)
    await client.listPodSandbox({id: 'abc', labelSelector: {app: 'web'}})
    expect(runtime.filters).toMatchObject([{id: 'abc', labelSelector: {app: 'web'}}])
  })

  test('refuses an answer above 16 MiB', async () => {
    const label = 'x'.repeat(1024 * 1024)
    await using runtime = await fake({sandboxes: Array.from({length: 17}, (_, index) => ({id: `${index}`, labels: {label}}))})
    await using client = await open(runtime.path)
    await expect(client.listPodSandbox(undefined)).rejects.toMatchObject({
      code: 'RESOURCE_EXHAUSTED',
      kind: 'too-large',
      message: expect.stringMatching(/^the answer to ListPodSandbox is too large \(.*16777216/),
    })
  })

  test('takes an answer just below 16 MiB', async () => {
    const label = 'x'.repeat(1024 * 1024)
    await using runtime = await fake({sandboxes: Array.from({length: 15}, (_, index) => ({id: `${index}`, labels: {label}}))})
    await using client = await open(runtime.path)
    expect((await client.listPodSandbox(undefined)).items).toHaveLength(15)
  })

  test('gives up on a list when its deadline is over', async () => {
    await using runtime = await fake({hangs: 'lists', ...two})
    await using client = await open(runtime.path)
    await expect(client.listPodSandbox(undefined, {deadlineMs: 20})).rejects.toMatchObject({kind: 'silent'})
  })

  test('tells of a connection that breaks during a call', async () => {
    const runtime = await fake({hangs: 'lists', ...two})
    await using client = await open(runtime.path)
    const listing = client.listPodSandbox(undefined)
    const outcome = expect(listing).rejects.toMatchObject({kind: 'lost'})
    while (!runtime.calls.includes('ListPodSandbox')) await new Promise((resolve) => setImmediate(resolve))
    await runtime[Symbol.asyncDispose]()
    await outcome
  })

  test('finds an image, or none', async () => {
    await using runtime = await fake({images: [{id: 'sha256:1', repoTags: ['busybox:latest']}]})
    await using client = await open(runtime.path)
    expect(await client.imageStatus('busybox:latest')).toMatchObject({id: 'sha256:1'})
    expect(await client.imageStatus('nginx')).toBeUndefined()
  })
})
