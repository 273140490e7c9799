// A whole node as its bundle replays it: `check` finds the same, and its drivers answer the same.
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createClient} from '@connectrpc/connect'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {openChannel} from '../../src/wire/channel.ts'
import {Registration} from '../../src/wire/gen/registration_pb.ts'
import {capabilityOf, codeOf, csiCaller} from '../support/csi-caller.ts'
import {type HealthyNode, startHealthyNode} from '../support/healthy-node.ts'
import {kubelimbo, printed} from '../support/kubelimbo.ts'
import {type Replaying, startReplay} from '../support/replaying.ts'
import {timestamp} from '../support/timestamp.ts'

let node: HealthyNode
let folder: string
let bundle: string
let replay: Replaying

beforeAll(async () => {
  node = await startHealthyNode()
  folder = await mkdtemp(join(tmpdir(), 'kl-'))
  bundle = join(folder, 'node.tar.gz')
  await printed(['snapshot', bundle, ...node.flags], node.env)
  replay = await startReplay(bundle)
})
afterAll(async () => {
  await replay?.[Symbol.asyncDispose]()
  await node?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, {recursive: true, force: true})
})

const inAnHour = () => ['--now', timestamp(Date.now() + 3_600_000)]

async function report(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return JSON.parse((await kubelimbo(['check', ...args, '--once', '-o', 'json'], env)).stdout)
}

test.for<[string, () => readonly string[]]>([
  ['now', () => []],
  ['in an hour', inAnHour],
])('check on a replay says what it says of the bundle, and looks for what it looked for on the node: %s', async ([, now]) => {
  const moment = now()
  const replayed = await report(['--host-root', replay.root, ...moment])
  expect(replayed).toEqual(await report(['--from', bundle, ...moment]))
  const {findings, looked, unseen} = await report([...node.flags, ...moment], node.env)
  // /run is this machine's: what other tests take over at the moment is none of the node's.
  const own = (all: readonly {readonly code: string}[]) => all.filter(({code}) => code !== 'T01')
  expect({...replayed, findings: own(replayed.findings)}).toMatchObject({findings: own(findings), looked, unseen})
})

test('check on a replay needs no environment, and heeds none that tells of this machine', async () => {
  const env = {NODE_NAME: 'another', KUBECONFIG: '/nowhere', CONTAINER_RUNTIME_ENDPOINT: 'unix:///nowhere.sock'}
  expect(await report(['--host-root', replay.root], env)).toEqual(await report(['--from', bundle]))
})

test('a driver answers on a replay what it answers on the node, and refuses what would change something', async () => {
  const path = replay.endpoints.find(({kind}) => kind === 'driver')?.endpoint.slice('unix://'.length) ?? ''
  using there = await csiCaller(path)
  using here = await csiCaller(node.driver.socket)
  expect(await there.identity.getPluginInfo({})).toEqual(await here.identity.getPluginInfo({}))
  expect(await there.identity.getPluginCapabilities({})).toEqual(await here.identity.getPluginCapabilities({}))
  expect(await there.identity.probe({})).toEqual(await here.identity.probe({}))
  expect(await there.node.nodeGetInfo({})).toEqual(await here.node.nodeGetInfo({}))
  expect(await there.node.nodeGetCapabilities({})).toEqual(await here.node.nodeGetCapabilities({}))
  const volumeCapability = capabilityOf('mount')
  expect(await codeOf(there.node.nodeStageVolume({volumeId: 'v', stagingTargetPath: '/s', volumeCapability}))).toBe('FAILED_PRECONDITION')
  expect(await codeOf(there.controller.createVolume({name: 'v'}))).toBe('FAILED_PRECONDITION')
  expect(await codeOf(there.node.nodeGetVolumeStats({volumeId: 'v', volumePath: '/v'}))).toBe('UNAVAILABLE')
})

test('a registration answers GetInfo, and is not told anything', async () => {
  const path = replay.endpoints.find(({kind}) => kind === 'registration')?.endpoint.slice('unix://'.length) ?? ''
  using channel = await openChannel({path, clock: systemClock, connectTimeoutMs: 5000, callTimeoutMs: 5000}, 2 ** 22)
  const client = createClient(Registration, channel.transport)
  expect(await client.getInfo({})).toMatchObject({type: 'CSIPlugin', name: node.driver.name})
  expect(await codeOf(client.notifyRegistrationStatus({pluginRegistered: true}))).toBe('FAILED_PRECONDITION')
})
