import {createServer} from 'node:net'
import {join} from 'node:path'
import {Code, ConnectError} from '@connectrpc/connect'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {openCsi} from '../../src/wire/csi-client.ts'
import {getPluginInfo} from '../../src/wire/registration-client.ts'
import {RpcFailure} from '../../src/wire/rpc-failure.ts'
import {type FakeDriverOptions, fakeDriver, fakeRegistration} from '../support/fake-driver.ts'
import {listening} from '../support/listening.ts'
import {tempDir} from '../support/socket-dir.ts'

const channel = (path: string, timeoutMs = 5000) => ({path, clock: systemClock, connectTimeoutMs: timeoutMs, callTimeoutMs: timeoutMs})
const fake = (options: Omit<FakeDriverOptions, 'path'> = {}) => fakeDriver({path: join(tempDir(), 's'), ...options})

describe('openCsi()', () => {
  test('asks a driver for its name, its health, its capabilities and its node', async () => {
    await using driver = await fake({ready: true, capabilities: [1, 77]})
    using client = await openCsi(channel(driver.path))
    expect(await client.getPluginInfo()).toMatchObject({name: 'fake.csi.example.com', vendorVersion: '1.2.3'})
    expect((await client.probe()).ready).toBe(true)
    const {capabilities} = await client.nodeGetCapabilities()
    expect(capabilities.map(({type}) => type.value?.type)).toEqual([1, 77])
    expect((await client.nodeGetInfo()).nodeId).toBe('n1')
  })

  test('tells a probe that left `ready` out from one that said no', async () => {
    await using driver = await fake()
    using client = await openCsi(channel(driver.path))
    expect((await client.probe()).ready).toBeUndefined()
    await using other = await fake({ready: false})
    using sick = await openCsi(channel(other.path))
    expect((await sick.probe()).ready).toBe(false)
  })

  test('gives up on a call when its time is over, and passes on an error of the driver', async () => {
    await using driver = await fake({hangs: ['NodeGetInfo'], fails: {Probe: new ConnectError('no backend', Code.Aborted)}})
    using client = await openCsi(channel(driver.path, 300))
    await expect(client.nodeGetInfo()).rejects.toMatchObject({kind: 'silent', code: 'DEADLINE_EXCEEDED'})
    await expect(client.probe()).rejects.toMatchObject({kind: 'answered', code: 'ABORTED'})
  })

  test('refuses an answer above 4 MiB', async () => {
    await using driver = await fake({name: 'x'.repeat(4 * 1024 * 1024)})
    using client = await openCsi(channel(driver.path))
    await expect(client.getPluginInfo()).rejects.toMatchObject({kind: 'too-large'})
  })

  test('fails with an RpcFailure, whatever bytes come', async () => {
    const frame = (type: number, flags: number, stream: number, body: Uint8Array) => {
      const head = Buffer.alloc(9)
      head.writeUIntBE(body.length, 0, 3)
      head[3] = type
      head[4] = flags
      head.writeUInt32BE(stream, 5)
      return Buffer.concat([head, body])
    }
    const bytes = fc.uint8Array({maxLength: 64})
    const frames = fc.array(
      fc
        .tuple(fc.integer({min: 0, max: 10}), fc.integer({min: 0, max: 255}), fc.integer({min: 0, max: 3}), bytes)
        .map((parts) => frame(...parts)),
      {maxLength: 6},
    )
    const path = join(tempDir(), 's')
    let reply = Buffer.alloc(0)
    await using _server = await listening(
      createServer((socket) => socket.end(reply)),
      path,
    )
    const settings = frame(4, 0, 0, new Uint8Array())
    await fc.assert(
      fc.asyncProperty(frames, fc.boolean(), async (rest, greets) => {
        reply = Buffer.concat([...(greets ? [settings] : []), ...rest])
        await expect(openAndAsk(path)).rejects.toBeInstanceOf(RpcFailure)
      }),
      {numRuns: 60},
    )
  })
})

async function openAndAsk(path: string) {
  using client = await openCsi(channel(path, 1000))
  return await client.getPluginInfo()
}

describe('getPluginInfo()', () => {
  test('asks a registration whose it is, and nothing else', async () => {
    await using registration = await fakeRegistration({path: join(tempDir(), 's'), endpoint: '/csi/csi.sock'})
    expect(await getPluginInfo(channel(registration.path))).toMatchObject({
      type: 'CSIPlugin',
      name: 'fake.csi.example.com',
      endpoint: '/csi/csi.sock',
      supportedVersions: ['1.0.0'],
    })
    expect(registration.calls).toEqual(['/pluginregistration.Registration/GetInfo'])
  })
})
