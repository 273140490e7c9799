import {connect} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {type Clock, systemClock} from '../../../../src/base/clock.ts'
import {openConnection} from '../../../../src/http2/client-connection.ts'
import {nameIndex} from '../../../../src/proxy/call/names/name-index.ts'
import {learnFromRuntime} from '../../../../src/proxy/call/names/prime.ts'
import {dial} from '../../../../src/proxy/listen/dial.ts'
import {type FakeRuntimeOptions, fakeRuntime} from '../../../support/fake-runtime.ts'
import {tempDir} from '../../../support/socket-dir.ts'

const pod = {name: 'dns', namespace: 'kube-system', uid: 'u1'}
const had = {
  sandboxes: [{id: 's1', metadata: pod}],
  containers: [{id: 'c1', podSandboxId: 's1', metadata: {name: 'main'}}],
}

async function learnt(options: Partial<FakeRuntimeOptions>, clock: Clock = systemClock) {
  const path = join(tempDir(), 'r')
  const runtime = await fakeRuntime({path, ...had, ...options})
  onTestFinished(() => runtime[Symbol.asyncDispose]())
  const names = nameIndex()
  await learnFromRuntime(async () => openConnection(connect(path)), names, clock)
  return [names.podOfSandbox('s1'), names.container('c1')?.sandboxId, names.podOfUid('u1')]
}

test.each(['v1', 'v1alpha2'] as const)('learnFromRuntime() knows the pods and containers of a runtime with %s', async (api) => {
  expect(await learnt({api})).toMatchObject([pod, 's1', pod])
})

test.each([
  ['is none', {api: 'none'}],
  ['is not ready', {starting: true}],
] as const)('learnFromRuntime() goes on without them when it %s', async (_, options) => {
  expect(await learnt(options)).toEqual([undefined, undefined, undefined])
})

test('learnFromRuntime() does not wait for long, and keeps what it has', async () => {
  const hurried: Clock = {now: systemClock.now, sleep: (ms, signal) => systemClock.sleep(ms / 10, signal)}
  expect(await learnt({hangs: ['ListContainers']}, hurried)).toMatchObject([pod, undefined, pod])
})

test('learnFromRuntime() goes on without them when nobody is there', async () => {
  const names = nameIndex()
  await learnFromRuntime(async () => openConnection(await dial({kind: 'unix', path: join(tempDir(), 'none')})), names, systemClock)
  expect(names.knowsSandbox('s1')).toBe(false)
})
