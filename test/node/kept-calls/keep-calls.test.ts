import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {create} from '@bufbuild/protobuf'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {nodeHost} from '../../../src/node/endpoints/host.ts'
import {keepCalls} from '../../../src/node/kept-calls/keep-calls.ts'
import * as v1 from '../../../src/wire/gen/cri_pb.ts'
import {type FakeRuntimeOptions, fakeRuntime} from '../../support/fake-runtime.ts'
import {snapshotOf} from '../../support/snapshot-builder.ts'

const running = (id: string) => create(v1.ContainerSchema, {id, state: v1.ContainerState.CONTAINER_RUNNING})
const ended = (id: string, createdAt: number) =>
  create(v1.ContainerSchema, {id, state: v1.ContainerState.CONTAINER_EXITED, createdAt: BigInt(createdAt)})

async function kept(containers: readonly v1.Container[], options: Partial<FakeRuntimeOptions> = {}, ms = 20_000) {
  const folder = mkdtempSync(join(tmpdir(), 'kl-'))
  const path = join(folder, 's')
  const runtime = await fakeRuntime({path, containers, ...options})
  onTestFinished(async () => {
    await runtime[Symbol.asyncDispose]()
    rmSync(folder, {recursive: true})
  })
  const answers = {
    endpoint: `unix://${path}`,
    source: '--runtime-endpoint',
    told: true,
    calls: [{method: 'connect', outcome: {state: 'answered'}}],
    conditions: [],
  } as const
  const snapshot = snapshotOf({sources: {'runtime.answers': answers, 'runtime.containers': containers, 'runtime.sandboxes': []}})
  const signal = new AbortController().signal
  const started = performance.now()
  const calls = await keepCalls(snapshot, {host: nodeHost({}), clock: systemClock, signal, until: systemClock.now() + ms})
  return {...calls, tookMs: performance.now() - started, asked: runtime.calls}
}

test('keepCalls() keeps each answer and each refusal, with its code', async () => {
  const {calls, missing} = await kept([running('c1')])
  const codes = Object.fromEntries(calls.map(({method, code}) => [method, code]))
  expect(codes).toMatchObject({Version: 'OK', Status: 'OK', ContainerStatus: 'OK', ListImages: 'OK', ListContainerStats: 'UNIMPLEMENTED'})
  expect(calls.find(({method}) => method === 'ContainerStatus')).toMatchObject({
    service: 'runtime.v1.RuntimeService',
    request: {containerId: 'c1', verbose: true},
    responses: [{status: {id: 'c1'}}],
  })
  expect(missing).toEqual([])
})

test('keepCalls() asks a runtime of v1alpha2 in its words', async () => {
  const {calls} = await kept([running('c1')], {api: 'v1alpha2'})
  expect(calls.find(({method, code}) => method === 'ContainerStatus' && code === 'OK')?.service).toBe('runtime.v1alpha2.RuntimeService')
})

test('keepCalls() asks of 9,000 containers that have ended the newest 200, and says how many it did not', async () => {
  const all = [running('alive'), ...Array.from({length: 9000}, (_, index) => ended(`e${index}`, index))]
  const {calls, missing, tookMs} = await kept(all)
  const ids = calls.flatMap(({method, request}) =>
    method === 'ContainerStatus' ? ((request as {containerId: string}).containerId ?? []) : [],
  )
  expect(ids).toHaveLength(201)
  expect(ids).toContain('alive')
  expect(ids).toContain('e8999')
  expect(ids).not.toContain('e0')
  expect(missing).toEqual(['8800 of 9001 sandboxes, containers and images were not asked for their status'])
  expect(tookMs).toBeLessThan(20_000)
})

test('keepCalls() gives a method up that hangs, and has the others', async () => {
  const {calls, missing, tookMs} = await kept(
    Array.from({length: 50}, (_, index) => running(`c${index}`)),
    {hangs: Array.from({length: 50}, (_, index) => `ContainerStatus c${index}`)},
    30_000,
  )
  const statuses = calls.filter(({method}) => method === 'ContainerStatus')
  expect(statuses.length).toBeLessThan(10)
  expect(statuses[0]).toMatchObject({code: 'DEADLINE_EXCEEDED'})
  expect(calls.find(({method}) => method === 'ListImages')).toMatchObject({code: 'OK'})
  expect(missing).toEqual([expect.stringMatching(/^4\d of 50 sandboxes, containers and images were not asked/)])
  expect(tookMs).toBeLessThan(15_000)
})

test('keepCalls() ends when its time is over', async () => {
  const {tookMs, missing} = await kept([running('c1')], {hangs: 'all'}, 1000)
  expect(tookMs).toBeLessThan(4000)
  expect(missing).toContain('no time was left for all calls')
})
