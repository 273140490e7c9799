// How connections end, on real sockets.
import {once} from 'node:events'
import {connect, createServer, type Socket} from 'node:net'
import {join} from 'node:path'
import {setImmediate} from 'node:timers/promises'
import {expect, onTestFinished, test} from 'vitest'
import {openConnection} from '../../../src/http2/client-connection.ts'
import {errorCodes} from '../../../src/http2/fault.ts'
import {FrameReader} from '../../../src/http2/frame-reader.ts'
import {HpackEncoder} from '../../../src/http2/hpack-encoder.ts'
import {clientPreface} from '../../../src/http2/preface.ts'
import {type ServerStream, serveConnection} from '../../../src/http2/server-connection.ts'
import {writeFrame} from '../../../src/http2/write-frame.ts'
import type {CallEnding, HandleCall} from '../../../src/proxy/relay/handling.ts'
import {relay} from '../../../src/proxy/relay/relay.ts'
import {ourClient, ourServer} from '../../support/http2-peers.ts'
import {emptySettings, requestFields} from '../../support/http2-raw-peer.ts'
import {passAll, relayed} from '../../support/relayed.ts'
import {tempDir} from '../../support/socket-dir.ts'
import {socketPair} from '../../support/socket-pair.ts'

const ok = [{name: ':status', value: '200'}]

async function pairOf(onStream: (stream: ServerStream) => void | Promise<void>, handleCall: HandleCall = passAll) {
  const [clientSocket, ours] = await socketPair()
  const [theirs, serverSocket] = await socketPair()
  const server = serveConnection(serverSocket, {onStream})
  const pair = relay({client: ours, upstream: theirs, handleCall})
  return {clientSocket, serverSocket, server, pair}
}

function watching(endings: CallEnding[]): HandleCall {
  return () => ({kind: 'pass', watcher: {ended: (ending) => void endings.push(ending)}})
}

test('relay() ends the client’s connection when there is no server', async () => {
  const {path, relays} = await relayed(join(tempDir(), 'none'))
  const client = ourClient(path)
  await expect(client.ready).rejects.toMatchObject({by: 'connection'})
  expect(await relays[0]?.ended).toMatchObject({side: 'server', reason: expect.stringContaining('ENOENT')})
})

test('relay() lets a client wait for a server that says nothing, and tells the server that the client has gone', async () => {
  const path = join(tempDir(), 's')
  const accepted: Socket[] = []
  const server = createServer({allowHalfOpen: true}, (socket) => accepted.push(socket.resume()))
  onTestFinished(() => void server.close())
  await once(server.listen(path), 'listening')
  const {path: at, relays} = await relayed(path)
  const socket = connect(at)
  const client = openConnection(socket)
  const stream = await client.request(requestFields)
  if (accepted.length === 0) await once(server, 'connection')
  socket.destroy()
  await once(accepted[0] as Socket, 'end')
  accepted[0]?.destroy()
  expect(await relays[0]?.ended).toMatchObject({side: 'client'})
  expect(stream.failure).toBeDefined()
})

test('relay() brings all that a server said before it left to a client that reads slowly', async () => {
  const size = 10_000_000
  const {clientSocket, serverSocket, pair} = await pairOf(async (stream) => {
    stream.sendHeaders(ok)
    await stream.write(new Uint8Array(size))
    stream.end([{name: 'grpc-status', value: '0'}])
    await setImmediate()
    serverSocket.end()
  })
  const client = openConnection(clientSocket, {streamWindow: 2 ** 31 - 1, connectionWindow: 65_535})
  const stream = await client.request(requestFields, {endStream: true})
  await stream.response
  await once(serverSocket, 'finish')
  let came = 0
  for await (const piece of stream) came += piece.length
  expect([came, stream.trailers?.length]).toEqual([size, 1])
  expect(await pair.ended).toMatchObject({side: 'server'})
})

test('relay() brings an answer to a client that has closed its half', async () => {
  const endings: CallEnding[] = []
  const {clientSocket, pair, serverSocket} = await pairOf(() => undefined, watching(endings))
  serverSocket.removeAllListeners('end')
  const block = new HpackEncoder().encode(requestFields)
  const head = {type: 'HEADERS', streamId: 1, endStream: true, endHeaders: true, fragment: block} as const
  clientSocket.end(Buffer.concat([clientPreface, writeFrame(emptySettings), writeFrame(head)]))
  await once(serverSocket, 'end')
  serverSocket.end(writeFrame({...head, fragment: new HpackEncoder().encode(ok)}))
  const reader = new FrameReader()
  for await (const chunk of clientSocket) reader.push(chunk)
  const types: string[] = []
  for (let frame = reader.next(); frame; frame = reader.next()) types.push(frame.type)
  expect(types).toContain('HEADERS')
  expect(endings).toEqual([{kind: 'lost', side: 'client', reason: 'the client closed the connection'}])
  expect(await pair.ended).toMatchObject({side: 'client'})
})

test('relay() ends the server’s connection although a window holds up what the client left', async () => {
  const {clientSocket, server, pair} = await pairOf(() => undefined)
  const client = openConnection(clientSocket)
  await client.ready
  // More than the server's window of all streams.
  const streams = await Promise.all(Array.from({length: 30}, () => client.request(requestFields)))
  for (const stream of streams) void stream.write(new Uint8Array(256 * 1024)).catch(() => undefined)
  await client.ping()
  clientSocket.destroy()
  expect(await server.ended).toMatchObject({by: 'peer'})
  expect(await pair.ended).toMatchObject({side: 'client'})
})

test('destroy() ends both, and every call is lost', async () => {
  const endings: CallEnding[] = []
  const {clientSocket, server, pair} = await pairOf(() => undefined, watching(endings))
  const client = openConnection(clientSocket)
  await client.ready
  const stream = await client.request(requestFields)
  await client.ping()
  pair.destroy('enough')
  await expect(stream.response).rejects.toMatchObject({by: 'connection'})
  await server.ended
  expect(await pair.ended).toEqual({side: 'proxy', reason: 'enough'})
  expect(endings).toEqual([expect.objectContaining({kind: 'lost', reason: 'enough'})])
})

test('a mistake in a handler ends its pair of connections and no other', async () => {
  const server = await ourServer({onStream: (stream) => stream.sendHeaders(ok, {endStream: true})})
  let calls = 0
  const {path, relays} = await relayed(server, () => {
    if (++calls === 1) throw new Error('ours')
    return {kind: 'pass'}
  })
  const [one, two] = [ourClient(path), ourClient(path)]
  await Promise.all([one.ready, two.ready])
  const lost = await one.request(requestFields)
  await expect(lost.response).rejects.toMatchObject({by: 'connection'})
  expect(await (await two.request(requestFields)).response).toEqual(ok)
  const ended = await Promise.race(relays.map((each) => each.ended))
  expect(ended).toEqual({side: 'proxy', reason: 'a mistake of the proxy: Error: ours'})
})

test('a watcher sees bodies and headers, and hears how each call ended', async () => {
  const {CANCEL} = errorCodes
  const heard = new Map<string, unknown[]>()
  const handleCall: HandleCall = ({fields}) => {
    const said: unknown[] = []
    heard.set(fields.at(-1)?.value ?? '', said)
    return {
      kind: 'pass',
      watcher: {
        requestData: (bytes) => void said.push(['>', `${Buffer.from(bytes)}`]),
        responseHeaders: (headers) => void said.push(headers),
        responseData: (bytes) => void said.push(['<', `${Buffer.from(bytes)}`]),
        ended: (ending) => void said.push(ending),
      },
    }
  }
  const {clientSocket, pair} = await pairOf(async (stream) => {
    const ask = await stream.read()
    if (`${ask}` === 'hang') return
    if (`${ask}` === 'reset') return stream.reset(77)
    if (`${ask}` === 'fail') return stream.sendHeaders([...ok, {name: 'grpc-status', value: '5'}], {endStream: true})
    stream.sendHeaders([{name: ':status', value: '103'}])
    stream.sendHeaders(ok)
    void stream.write(Buffer.from('answer'))
    stream.end(`${ask}` === 'bare' ? undefined : [{name: 'grpc-status', value: '0'}])
  }, handleCall)
  const client = openConnection(clientSocket)
  for (const ask of ['echo', 'bare', 'fail', 'reset', 'hang', 'cancel']) {
    const stream = await client.request([...requestFields, {name: 'x-ask', value: ask}])
    void stream.write(Buffer.from(ask === 'cancel' ? 'hang' : ask))
    stream.end()
    if (ask === 'cancel') stream.reset(CANCEL)
    else if (ask !== 'hang') {
      await stream.response.catch(() => undefined)
      while ((await stream.read().catch(() => undefined)) !== undefined);
    }
  }
  await client.ping()
  expect(pair.active).toBe(1)
  pair.destroy('over')
  await pair.ended
  const answered = (trailers: unknown[]) => ({kind: 'answered', trailers})
  expect(Object.fromEntries(heard)).toEqual({
    echo: [['>', 'echo'], ok, ['<', 'answer'], answered([{name: 'grpc-status', value: '0'}])],
    bare: [['>', 'bare'], ok, ['<', 'answer'], answered([])],
    fail: [['>', 'fail'], answered([...ok, {name: 'grpc-status', value: '5'}])],
    reset: [['>', 'reset'], {kind: 'reset', by: 'server', code: 77}],
    hang: [['>', 'hang'], {kind: 'lost', side: 'proxy', reason: 'over'}],
    cancel: [['>', 'hang'], {kind: 'reset', by: 'client', code: CANCEL}],
  })
})
