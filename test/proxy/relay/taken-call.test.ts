// Calls that somebody took, between peers of our own.
import {setImmediate} from 'node:timers/promises'
import {expect, onTestFinished, test} from 'vitest'
import {openConnection} from '../../../src/http2/client-connection.ts'
import {errorCodes} from '../../../src/http2/fault.ts'
import type {HeaderField} from '../../../src/http2/header-field.ts'
import {type ServerOptions, type ServerStream, serveConnection} from '../../../src/http2/server-connection.ts'
import type {HandleCall, TakenCall} from '../../../src/proxy/relay/handling.ts'
import {relay} from '../../../src/proxy/relay/relay.ts'
import {requestFields} from '../../support/http2-raw-peer.ts'
import {socketPair} from '../../support/socket-pair.ts'

const {CANCEL, NO_ERROR, INTERNAL_ERROR} = errorCodes
const ok = [{name: ':status', value: '200'}]
const trailers = [{name: 'grpc-status', value: '0'}]
const bytes = (text: string) => Buffer.from(text)

interface Arrived {
  readonly stream: ServerStream
  readonly fields: readonly HeaderField[]
}

async function takenPair(options: Partial<ServerOptions> = {}, take?: (call: TakenCall) => void | Promise<void>) {
  const [clientSocket, ours] = await socketPair()
  const [theirs, serverSocket] = await socketPair()
  const arrived: Arrived[] = []
  const taken: TakenCall[] = []
  const onStream = (stream: ServerStream, fields: readonly HeaderField[]) => void arrived.push({stream, fields})
  const server = serveConnection(serverSocket, {onStream, ...options})
  const handleCall: HandleCall = () => ({kind: 'take', take: take ?? ((call) => void taken.push(call))})
  const pair = relay({client: ours, upstream: theirs, handleCall})
  const client = openConnection(clientSocket)
  onTestFinished(() => pair.destroy('the test is over'))
  await client.ready
  const settled = async () => {
    for (let turn = 0; turn < 30; turn++) await setImmediate()
  }
  const call = async () => {
    const stream = await client.request(requestFields, {endStream: true})
    await settled()
    const one = taken.at(-1)
    if (!one) throw new Error('nobody took it')
    return {stream, taken: one}
  }
  return {client, clientSocket, server, serverSocket, pair, arrived, taken, call, settled}
}

test('open() sends HEADERS at once, with localhost for an authority', async () => {
  const {call, arrived, settled} = await takenPair()
  const {taken} = await call()
  await taken.open(taken.head.fields, {endStream: true})
  await settled()
  expect(taken.head).toEqual({path: '/a.B/C', fields: requestFields, streamId: 1})
  expect(arrived[0]?.fields).toContainEqual({name: ':authority', value: 'localhost'})
})

test('open() waits while the server has as many streams as it takes, in order', async () => {
  const {call, arrived, settled} = await takenPair({maxConcurrentStreams: 1})
  const {taken} = await call()
  const opened: string[] = []
  for (const name of ['a', 'b', 'c'])
    void taken.open([...requestFields, {name, value: ''}], {endStream: true}).then(() => opened.push(name))
  await settled()
  expect(opened).toEqual(['a'])
  for (const [index, name] of ['a', 'b', 'c'].entries()) {
    expect(opened.at(-1)).toBe(name)
    arrived[index]?.stream.sendHeaders(ok, {endStream: true})
    await settled()
  }
  expect(arrived.map(({fields}) => fields.at(-1)?.name)).toEqual(['a', 'b', 'c'])
})

test('a client that resets its stream resets those upstream, but none that outlives it', async () => {
  const {call, arrived, settled} = await takenPair({maxConcurrentStreams: 2})
  const {stream, taken} = await call()
  const bound = await taken.open(requestFields)
  const free = await taken.open(requestFields, {outlives: true})
  const late = taken.open(requestFields)
  stream.reset(99)
  await expect(late).rejects.toMatchObject({by: 'peer', code: 99})
  await settled()
  expect(taken.client.failure).toMatchObject({by: 'peer', code: 99})
  expect(arrived[0]?.stream.failure).toMatchObject({by: 'peer', code: 99})
  expect(bound.failure).toMatchObject({by: 'us'})
  expect(arrived[1]?.stream.failure).toBeUndefined()
  await expect(taken.open(requestFields)).rejects.toMatchObject({by: 'peer'})
  void free.write(bytes('go on'))
  free.end()
  expect(await arrived[1]?.stream.read()).toEqual(bytes('go on'))
  arrived[1]?.stream.sendHeaders(ok)
  arrived[1]?.stream.end(trailers)
  expect(await free.response).toEqual(ok)
  expect(await free.read()).toBeUndefined()
  expect(free.trailers).toEqual(trailers)
})

test('calls that outlive the client’s connection keep the server’s until they have ended, which then ends in order', async () => {
  const {client, clientSocket, server, call, arrived, pair, settled} = await takenPair()
  const {taken} = await call()
  const bound = await taken.open(requestFields)
  const free = await taken.open(requestFields, {outlives: true})
  client.destroy()
  clientSocket.destroy()
  await settled()
  expect(bound.failure).toMatchObject({code: CANCEL})
  expect(arrived[0]?.stream.failure).toMatchObject({by: 'peer', code: CANCEL})
  expect(server.active).toBe(1)
  free.end()
  arrived[1]?.stream.sendHeaders(ok)
  void arrived[1]?.stream.write(bytes('late success'))
  arrived[1]?.stream.end(trailers)
  expect(await free.read()).toEqual(bytes('late success'))
  expect(await free.read()).toBeUndefined()
  expect(await server.ended).toMatchObject({by: 'peer', code: NO_ERROR})
  expect(await pair.ended).toMatchObject({side: 'client'})
})

test('without such calls the end of the client’s connection ends the server’s', async () => {
  const {client, clientSocket, server, call, arrived, pair} = await takenPair()
  const {taken} = await call()
  const up = await taken.open(requestFields)
  client.destroy()
  clientSocket.destroy()
  await server.ended
  expect(arrived[0]?.stream.failure).toBeDefined()
  expect(up.failure).toBeDefined()
  expect(await pair.ended).toMatchObject({side: 'client'})
})

test('breakConnection() ends all of the client’s calls without a word, and leaves what outlives', async () => {
  const {client, server, call, arrived, settled} = await takenPair()
  const {stream, taken} = await call()
  const free = await taken.open(requestFields, {outlives: true})
  taken.breakConnection()
  await expect(stream.response).rejects.toMatchObject({by: 'connection'})
  expect(await client.ended).toMatchObject({by: 'peer', code: NO_ERROR})
  await settled()
  expect(server.active).toBe(1)
  free.end()
  arrived[0]?.stream.sendHeaders(ok, {endStream: true})
  expect(await free.response).toEqual(ok)
  await server.ended
})

test('the end of the server’s connection fails calls upstream and ends the client’s', async () => {
  const {client, serverSocket, call, pair} = await takenPair()
  const {stream, taken} = await call()
  const up = await taken.open(requestFields)
  serverSocket.destroy()
  await expect(up.response).rejects.toMatchObject({by: 'connection'})
  await expect(stream.response).rejects.toMatchObject({by: 'connection'})
  await expect(taken.open(requestFields)).rejects.toMatchObject({unprocessed: true})
  await client.ended
  expect(await pair.ended).toMatchObject({side: 'server'})
})

test('a taker that throws costs its call only', async () => {
  const {client, settled} = await takenPair({}, async () => {
    throw new Error('a mistake of ours')
  })
  const one = await client.request(requestFields, {endStream: true})
  await expect(one.response).rejects.toMatchObject({by: 'peer', code: INTERNAL_ERROR})
  await settled()
  expect(client.goingAway).toBe(false)
})

test('a reply that is made up reaches the client, however large', async () => {
  const size = 20 * 1024 * 1024
  const {client} = await takenPair({}, async ({client: stream}) => {
    for await (const _ of stream);
    stream.sendHeaders(ok)
    await stream.write(new Uint8Array(size))
    stream.end(trailers)
  })
  const one = await client.request(requestFields, {endStream: true})
  let came = 0
  for await (const piece of one) came += piece.length
  expect(came).toBe(size)
  expect(one.trailers).toEqual(trailers)
})

test('a stream that its taker does not read leaves room for others, also where its own window is larger than the connection’s', async () => {
  const window = 64 * 1024 * 1024
  const hung: TakenCall[] = []
  const {client, settled} = await takenPair({streamWindow: window}, async (call) => {
    if (hung.push(call) === 1) return
    let came = 0
    for await (const piece of call.client) came += piece.length
    call.client.sendHeaders([...ok, {name: 'x-came', value: `${came}`}], {endStream: true})
  })
  const one = await client.request(requestFields)
  void one.write(new Uint8Array(40 * 1024 * 1024))
  for (let turn = 0; turn < 50; turn++) await settled()
  const two = await client.request(requestFields)
  void two.write(new Uint8Array(3_000_000))
  two.end()
  expect(await two.response).toContainEqual({name: 'x-came', value: '3000000'})
  hung[0]?.client.reset()
  const three = await client.request(requestFields)
  void three.write(new Uint8Array(30_000_000))
  three.end()
  expect(await three.response).toContainEqual({name: 'x-came', value: '30000000'})
})
