import {mkdir, rename, rm, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {MessageInitShape} from '@bufbuild/protobuf'
import {Code, ConnectError} from '@connectrpc/connect'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {scaledClock} from '../../../src/base/scaled-clock.ts'
import {type PluginWatcher, startPluginWatcher} from '../../../src/lab/remote/plugin-watcher.ts'
import {Node} from '../../../src/wire/gen/csi_pb.ts'
import {type PluginInfoSchema, Registration} from '../../../src/wire/gen/registration_pb.ts'
import {type RecordingServer, recordingServer} from '../../support/recording-server.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {until} from '../../support/until.ts'

interface World {
  readonly watcher: PluginWatcher
  readonly registry: string
  readonly endpoint: string
  readonly driver: RecordingServer
  /** What plugins were told, in order: '' when they were registered. */
  readonly told: string[]
  readonly log: string[]
  plugin(name: string, info?: MessageInitShape<typeof PluginInfoSchema>): Promise<RecordingServer>
}

async function world(nodeGetInfo: () => {nodeId: string} = () => ({nodeId: 'n1'})): Promise<World> {
  const folder = tempDir()
  const registry = join(folder, 'registry')
  const endpoint = join(folder, 'csi.sock')
  const told: string[] = []
  const log: string[] = []
  const end = new AbortController()
  await mkdir(registry)
  const driver = await recordingServer(endpoint, (router) => void router.service(Node, {nodeGetInfo, nodeGetCapabilities: () => ({})}))
  const watcher = startPluginWatcher({
    registry,
    clock: scaledClock(systemClock, 20),
    realPath: (path) => path,
    podNames: () => undefined,
    log: ({text, fields}) => void log.push([text, fields?.err].join(' ')),
    signal: end.signal,
  })
  onTestFinished(async () => {
    end.abort(new Error('the test is over'))
    await driver[Symbol.asyncDispose]()
  })
  return {
    watcher,
    registry,
    endpoint,
    driver,
    told,
    log,
    plugin: async (name, info = {}) => {
      const server = await recordingServer(join(registry, name), (router) => {
        router.service(Registration, {
          getInfo: () => ({type: 'CSIPlugin', name: 'd', endpoint, supportedVersions: ['1.0.0'], ...info}),
          notifyRegistrationStatus: ({pluginRegistered, error}) => {
            told.push(pluginRegistered ? '' : error)
            return {}
          },
        })
      })
      onTestFinished(() => server[Symbol.asyncDispose]())
      return server
    },
  }
}

const methodsOf = ({calls}: RecordingServer) => calls.map(({path}) => path.split('/').at(-1))

/** Some rounds of the watcher. */
const aWhile = () => systemClock.sleep(250)

test('startPluginWatcher() registers a driver, tells its registrar, and gives its port', async () => {
  const {watcher, plugin, told, driver} = await world()
  expect(watcher.csi('d')).toBeUndefined()
  const registrar = await plugin('d-reg.sock')
  await until(async () => expect(told).toEqual(['']))
  expect(methodsOf(registrar)).toEqual(['GetInfo', 'NotifyRegistrationStatus'])
  expect(methodsOf(driver)).toEqual(['NodeGetInfo'])
  const answer = await watcher.csi('d')?.call('NodeGetCapabilities', {}, {timeoutMs: 10_000})
  expect(answer).toEqual({capabilities: []})
  await aWhile()
  expect(told).toEqual([''])
})

test('startPluginWatcher() forgets a driver whose registration goes, and registers it anew when it comes back', async () => {
  const {watcher, plugin, told, registry} = await world()
  const first = await plugin('d-reg.sock')
  await until(async () => expect(told).toEqual(['']))
  await first[Symbol.asyncDispose]()
  await rm(join(registry, 'd-reg.sock'), {force: true})
  await until(async () => expect(watcher.csi('d')).toBeUndefined())
  await plugin('d-reg.sock')
  await until(async () => expect(told).toEqual(['', '']))
  expect(watcher.csi('d')).toBeDefined()
})

test('startPluginWatcher() knows another socket at the place of the first', async () => {
  const {plugin, told, registry} = await world()
  await plugin('d-reg.sock')
  await until(async () => expect(told).toEqual(['']))
  await plugin('.next.sock')
  await rename(join(registry, '.next.sock'), join(registry, 'd-reg.sock'))
  await until(async () => expect(told).toEqual(['', '']))
})

test('startPluginWatcher() looks into folders, at nothing that begins with a dot, and at sockets alone', async () => {
  const {watcher, plugin, registry} = await world()
  await writeFile(join(registry, 'note.txt'), 'no socket')
  const hidden = await plugin('.hidden.sock')
  await aWhile()
  expect(hidden.calls).toEqual([])
  expect(watcher.csi('d')).toBeUndefined()
})

test.for<[MessageInitShape<typeof PluginInfoSchema>, RegExp]>([
  [{type: 'DevicePlugin'}, /^RegisterPlugin error -- no handler registered for plugin type: DevicePlugin at socket \S+$/],
  [{supportedVersions: []}, /^RegisterPlugin error -- plugin validation failed with err: CSI driver "d" returned an empty list/],
  [
    {supportedVersions: ['0.3.0']},
    /^RegisterPlugin error -- plugin validation failed with err: highest supported version .* must be v1\.x$/,
  ],
])('startPluginWatcher() refuses a plugin with %j, says why, and asks again', async ([info, why]) => {
  const {watcher, plugin, told, driver} = await world()
  await plugin('d-reg.sock', info)
  await until(async () => expect(told.length).toBeGreaterThan(1))
  expect(told[0]).toMatch(why)
  expect(watcher.csi('d')).toBeUndefined()
  expect(driver.calls).toEqual([])
})

test('startPluginWatcher() refuses a second driver of a name until the first is gone', async () => {
  const {plugin, told, registry} = await world()
  const first = await plugin('a-reg.sock')
  await until(async () => expect(told).toEqual(['']))
  await plugin('b-reg.sock')
  await until(async () => expect(told[1]).toMatch(/Another driver with the same name is already registered/))
  await first[Symbol.asyncDispose]()
  await rm(join(registry, 'a-reg.sock'), {force: true})
  await until(async () => expect(told.at(-1)).toBe(''))
})

test('startPluginWatcher() tells a registrar that its driver did not answer, and does not ask again while its socket stays', async () => {
  const {watcher, plugin, told} = await world(() => {
    throw new ConnectError('not ready', Code.Unavailable)
  })
  const registrar = await plugin('d-reg.sock')
  await until(async () => expect(told).toEqual(['RegisterPlugin error -- plugin registration failed with err: not ready']))
  await aWhile()
  expect(methodsOf(registrar)).toEqual(['GetInfo', 'NotifyRegistrationStatus'])
  expect(watcher.csi('d')).toBeUndefined()
})

test('startPluginWatcher() waits longer and longer for a registrar that does not listen', async () => {
  const {plugin, log, told, registry} = await world()
  const dead = await plugin('.dead.sock')
  await rename(join(registry, '.dead.sock'), join(registry, 'd-reg.sock'))
  await dead[Symbol.asyncDispose]()
  await until(async () => expect(log.filter((line) => line.includes('connection refused')).length).toBeGreaterThan(2))
  const tries = log.length
  await systemClock.sleep(150)
  expect(log.length - tries).toBeLessThanOrEqual(1)
  expect(told).toEqual([])
})
