import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock as clock} from '../../../src/base/clock.ts'
import {seeded} from '../../../src/base/dice.ts'
import {CallFailure} from '../../../src/kubelet/port.ts'
import {serveDriver} from '../../../src/lab/csi-service/serve-driver.ts'
import {rootlessDisk} from '../../../src/lab/disk/rootless-disk.ts'
import {fakeDriver} from '../../../src/lab/drivers/fake-driver.ts'
import {repro} from '../../../src/repro.ts'
import {tempDir} from '../../support/socket-dir.ts'

/** A driver of somebody else's, without root: what it mounts it alone knows of. */
async function started(refuse: (method: string) => string | undefined = () => undefined, scale = 50) {
  const folder = tempDir()
  const root = join(folder, 'kubelet')
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const driver = fakeDriver({name: 'real.example.com'}, rootlessDisk({root, now: clock.now}), clock, seeded(1))
  const handlers = driver.node as unknown as Readonly<Record<string, (request: object, caller: object) => Promise<never>>>
  const calls: string[] = []
  const {signal} = new AbortController()
  const port = {
    call: async (method: string, request: object) => {
      if (method !== 'NodeGetCapabilities') calls.push(method)
      const code = refuse(method)
      if (code !== undefined) throw new CallFailure(code, 'not now')
      return handlers[method]?.(request, {gone: false, signal, timeoutMs: Number.POSITIVE_INFINITY}) as Promise<never>
    },
  }
  const server = await serveDriver({driver, port, clock, root, nodeId: 'lab'})
  onTestFinished(() => server[Symbol.asyncDispose]())
  const runs = join(root, 'runs')
  const real = {
    csiEndpoint: `unix://${server.endpoint}`,
    root: runs,
    scale,
    clock,
    temporary,
    uids: seeded(3),
    signal: new AbortController().signal,
  }
  const played = async (name: string, profiles: string) => {
    const report = await repro({names: [name], profiles, timelines: true, tool: 'kubelimbo 1.0.0', real})
    const run = report.scenarios[0]?.runs[0]
    if (run === undefined) throw new Error('nothing was played')
    return run
  }
  return {driver, calls, played, left: () => [...readdirSync(temporary), ...(existsSync(runs) ? readdirSync(runs) : [])]}
}

test('realDriver() undoes in the end what the kubelet left staged, and its volume is removed', async () => {
  const {driver, calls, played, left} = await started()
  const run = await played('stage-timeout-filesystem', '1.17.3')
  const told = (run.timeline ?? []).flatMap((event) =>
    event.kind === 'call' && event.to === 'csi' ? [`${event.method} ${event.outcome}`] : [],
  )
  expect(told.filter((each) => !each.startsWith('NodeGetCapabilities'))).toEqual(['NodeStageVolume DEADLINE_EXCEEDED'])
  expect(calls).toEqual(['NodeStageVolume', 'NodeUnstageVolume'])
  expect(driver.volumes()).toEqual([])
  expect(left()).toEqual([])
  // By the handle that the driver gave.
  expect(run.answers).toEqual([
    expect.objectContaining({method: 'NodeStageVolume', volume: expect.stringMatching(/^kubelimbo-[-0-9a-f]{36}$/), class: 'uncertain'}),
  ])
})

test('realDriver() asks again while the driver is at work, and not when it refuses', async () => {
  let asked = 0
  const {calls, played} = await started((method) => (method === 'NodeUnstageVolume' ? (++asked < 3 ? 'ABORTED' : 'INTERNAL') : undefined))
  await played('stage-timeout-filesystem', '1.17.3')
  expect(calls).toEqual(['NodeStageVolume', 'NodeUnstageVolume', 'NodeUnstageVolume', 'NodeUnstageVolume'])
})

test('realDriver() cannot restart a driver, which is inconclusive', async () => {
  const {played} = await started(undefined, 10)
  const text = readFileSync('fixtures/exam/driver-restart.yaml', 'utf8').replace('optional: true, restartDriver', 'restartDriver')
  const file = join(tempDir(), 'restart.yaml')
  writeFileSync(file, text.replace('until: 700s', 'until: 60s'))
  const run = await played(file, '1.36.2')
  expect(run).toMatchObject({verdict: 'inconclusive', why: expect.stringContaining('Cannot restart a real driver')})
})
