// Room that was used and has to come back: what leaks of the relay's windows of 16 MiB stops everything sooner or later.
import {setImmediate} from 'node:timers/promises'
import {expect, onTestFinished, test} from 'vitest'
import {type ClientConnection, openConnection} from '../../../src/http2/client-connection.ts'
import type {Frame} from '../../../src/http2/frame.ts'
import {type ServerStream, serveConnection} from '../../../src/http2/server-connection.ts'
import type {HandleCall} from '../../../src/proxy/relay/handling.ts'
import {relay} from '../../../src/proxy/relay/relay.ts'
import {bridge} from '../../support/bridge.ts'
import {requestFields} from '../../support/http2-raw-peer.ts'
import {memoryPair} from '../../support/memory-pair.ts'
import {rawRelay} from '../../support/raw-relay.ts'
import {passAll} from '../../support/relayed.ts'

const ok = [{name: ':status', value: '200'}]
const MiB = 1024 * 1024

async function echo(stream: ServerStream): Promise<void> {
  stream.sendHeaders(ok)
  for await (const piece of stream) await stream.write(piece)
  stream.end()
}

async function connected(handleCall: HandleCall, onStream = echo, windows = {}): Promise<ClientConnection> {
  const [clientSocket, ours] = memoryPair()
  const [theirs, serverSocket] = memoryPair()
  serveConnection(serverSocket, {onStream, ...windows})
  const pair = relay({client: ours, upstream: theirs, handleCall})
  onTestFinished(() => pair.destroy('the test is over'))
  const client = openConnection(clientSocket, windows)
  await client.ready
  return client
}

async function exchange(client: ClientConnection, bytes: number): Promise<number> {
  const stream = await client.request(requestFields)
  void stream.write(new Uint8Array(bytes))
  stream.end()
  let came = 0
  for await (const piece of stream) came += piece.length
  return came
}

const takeAll: HandleCall = () => ({kind: 'take', take: (call) => bridge(call)})

test.each([
  ['pass', passAll],
  ['are taken', takeAll],
])('relay() gives room back for calls that %s, where the peers’ windows hold bytes up', async (_, handleCall) => {
  const client = await connected(handleCall, echo, {streamWindow: MiB, connectionWindow: 65_535})
  expect(await Promise.all([exchange(client, 20 * MiB), exchange(client, 20 * MiB)])).toEqual([20 * MiB, 20 * MiB])
})

test.each([
  ['pass', passAll],
  ['are taken', takeAll],
])('relay() gives room back for calls that %s and are given up half-way, by either peer', async (_, handleCall) => {
  let calls = 0
  const client = await connected(
    handleCall,
    async (stream) => {
      if (++calls > 60) return echo(stream)
      stream.sendHeaders(ok)
      void stream.write(new Uint8Array(MiB)).catch(() => undefined)
      if (calls % 2 === 0) await stream.read().then(() => stream.reset())
    },
    {streamWindow: MiB, connectionWindow: 100_000},
  )
  for (let call = 1; call <= 60; call++) {
    const stream = await client.request(requestFields)
    void stream.write(new Uint8Array(MiB)).catch(() => undefined)
    await stream.response.catch(() => undefined)
    await stream.read().catch(() => undefined)
    if (call % 2 === 1) stream.reset()
  }
  expect(await exchange(client, 20 * MiB)).toBe(20 * MiB)
})

test('relay() gives room back for bodies that a taker never reads', async () => {
  let calls = 0
  const client = await connected(() => {
    if (++calls > 120) return {kind: 'pass'}
    return {
      kind: 'take',
      take: async ({client: stream}) => {
        // All of it is here.
        while (stream.state === 'open') await setImmediate()
        stream.sendHeaders(ok, {endStream: true})
      },
    }
  })
  for (let call = 1; call <= 120; call++) {
    const stream = await client.request(requestFields)
    void stream.write(new Uint8Array(200_000))
    stream.end()
    await stream.response
  }
  expect(await exchange(client, 20 * MiB)).toBe(20 * MiB)
})

test('relay() hands padding on as long as there is room for all of a frame, and gives back what it leaves out', async () => {
  const {client, server, settled} = await rawRelay()
  const frame: Frame = {type: 'DATA', streamId: 1, endStream: false, data: Buffer.alloc(16_000, 'x'), padding: 200}
  client.send(client.open(1, {endStream: false}), frame, frame, frame, frame, frame)
  await settled()
  const lengths = server.frames.flatMap((one) => (one.type === 'DATA' ? [[one.data.length, one.padding]] : []))
  // 65,535 less four frames of 16,201.
  expect(lengths).toEqual([...Array(4).fill([16_000, 200]), [731, undefined]])
  expect(client.frames.at(-1)).toEqual({type: 'WINDOW_UPDATE', streamId: 1, increment: 201})
  server.send({type: 'WINDOW_UPDATE', streamId: 0, increment: 100_000})
  await settled()
  expect(server.frames.at(-1)).toMatchObject({type: 'DATA', endStream: false, data: Buffer.alloc(15_269, 'x')})
})
