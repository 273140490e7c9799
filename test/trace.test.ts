import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../src/base/clock.ts'
import type {TracedCall} from '../src/proxy/call/traced-call.ts'
import {serveControl} from '../src/proxy/control/serve-control.ts'
import {callRing} from '../src/proxy/trace/call-ring.ts'
import {ledgerBook} from '../src/proxy/trace/ledger.ts'
import {type TraceRequest, trace} from '../src/trace.ts'
import {codeOf, csiCaller} from './support/csi-caller.ts'
import {listedRules} from './support/listed-rules.ts'
import {servedDriver} from './support/served-driver.ts'
import {tempDir} from './support/socket-dir.ts'
import {tracedCall} from './support/traced-calls.ts'
import {until} from './support/until.ts'

function tracing(request: Omit<TraceRequest, 'clock' | 'signal'>) {
  const stop = new AbortController()
  const calls: TracedCall[] = []
  const told: string[] = []
  const hears = {
    started: (where: string) => told.push(where),
    call: (call: TracedCall) => calls.push(call),
    trouble: (text: string) => told.push(text),
  }
  const ended = trace({...request, clock: systemClock, signal: stop.signal}, hears)
  ended.catch(() => undefined)
  return {stop, calls, told, ended}
}

test('trace() by a proxy of its own has every call with what the proxy knows of it, and changes none', async () => {
  const root = tempDir()
  await using driver = await servedDriver(root, {name: 'd'})
  const listen = join(root, 'l.sock')
  const it = tracing({source: {listen, upstream: driver.endpoint}})
  await until(async () => expect(it.told).toEqual([`unix://${listen} before ${driver.endpoint}`]), 100, 20)
  const caller = await csiCaller(listen)
  onTestFinished(() => caller[Symbol.dispose]())
  expect((await caller.identity.getPluginInfo({})).name).toBe('d')
  const request = {volumeId: 'none', stagingTargetPath: join(root, 'x')}
  expect(await codeOf(caller.node.nodeUnstageVolume(request, {timeoutMs: 2000}))).toBe('NOT_FOUND')
  expect(await codeOf(caller.node.nodeStageVolume({...request, secrets: {password: 'hunter2'}}))).toBe('INVALID_ARGUMENT')
  await until(async () => expect(it.calls).toHaveLength(3), 100, 20)
  it.stop.abort(new Error('enough'))
  const {spenders, lateSuccesses} = await it.ended
  expect(it.calls).toMatchObject([
    {id: 1, connection: 1, service: 'csi.v1.Identity', method: 'GetPluginInfo', code: 'OK'},
    {id: 2, method: 'NodeUnstageVolume', code: 'NOT_FOUND', volume: 'none'},
    {id: 3, method: 'NodeStageVolume', code: 'INVALID_ARGUMENT', class: 'final', volume: 'none'},
  ])
  expect(it.calls[1]?.timeoutMs).toBeGreaterThan(1000)
  expect(JSON.stringify(it.calls)).not.toContain('hunter2')
  expect(spenders.map(({method, calls}) => `${method} ${calls}`).sort()).toEqual([
    'GetPluginInfo 1',
    'NodeStageVolume 1',
    'NodeUnstageVolume 1',
  ])
  expect(lateSuccesses).toEqual([])
  expect(existsSync(listen)).toBe(false)
})

test('trace() of an injector has the calls that it still knows and those that come, until it ends', async () => {
  const control = join(tempDir(), 'c.sock')
  const info = {tool: 't', pid: 7, listen: 'unix:///l.sock', upstream: 'unix:///u.sock', seed: 1, startedAt: '', expiresAt: ''}
  const calls = callRing(10)
  const injector = await serveControl(control, {info, rules: listedRules(), calls, ledger: ledgerBook(), parseRules: () => ({rules: []})})
  calls.add(tracedCall({id: 1}))
  const it = tracing({source: {control}})
  await until(async () => expect(it.calls).toHaveLength(1), 100, 20)
  calls.add(tracedCall({id: 2, code: 'INTERNAL'}))
  await until(async () => expect(it.calls).toHaveLength(2), 100, 20)
  await injector[Symbol.asyncDispose]()
  expect((await it.ended).spenders).toMatchObject([{calls: 2, failed: 1}])
  expect(it.told).toEqual(['unix:///l.sock before unix:///u.sock'])
})

test('trace() ends when its time is over, and when it is stopped', async () => {
  const root = tempDir()
  await using driver = await servedDriver(root)
  const source = {listen: join(root, 'l.sock'), upstream: driver.endpoint}
  expect(await tracing({source, forMs: 50}).ended).toEqual({spenders: [], lateSuccesses: [], more: 0})
  const it = tracing({source, forMs: 60_000})
  await until(async () => expect(it.told).toHaveLength(1), 100, 20)
  it.stop.abort(new Error('enough'))
  expect(await it.ended).toEqual({spenders: [], lateSuccesses: [], more: 0})
})

test.each([
  [
    'an injector that is not there',
    {control: '/nowhere.sock'},
    'Cannot reach the injector at /nowhere.sock as it must be running: there is no such socket',
  ],
  [
    'a server that is not there',
    {listen: '/tmp/never.sock', upstream: '/nowhere.sock'},
    'somebody must listen there: there is no such socket',
  ],
])('trace() refuses %s', async (_, source, why) => {
  await expect(tracing({source}).ended).rejects.toMatchObject({message: expect.stringContaining(why), exit: 3})
})
