// Both sides against node:http2 (nghttp2) over a real unix socket.
import {once} from 'node:events'
import type * as node from 'node:http2'
import {createServer} from 'node:net'
import {join} from 'node:path'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {ClientConnection} from '../../src/http2/client-connection.ts'
import {errorCodes} from '../../src/http2/fault.ts'
import type {HeaderField} from '../../src/http2/header-field.ts'
import {type ServerStream, serveConnection} from '../../src/http2/server-connection.ts'
import {nodeClient, nodeServer, ourClient, ourServer} from '../support/http2-peers.ts'
import {tempDir} from '../support/socket-dir.ts'

interface Exchange {
  readonly fields: readonly HeaderField[]
  readonly body: readonly Uint8Array[]
  readonly trailers: readonly HeaderField[]
}

/** Values have letters that nghttp2 codes by Huffman and octets that it does not. */
const field = fc.record({
  name: fc.stringMatching(/^x-[a-z0-9!#$%&'*+.^_`|~-]{1,30}$/),
  value: fc.oneof(
    fc.stringMatching(/^[!-~]([ -~]{0,60}[!-~])?$/),
    fc.constantFrom('a'.repeat(5000), '', 'é\xff\x80'.repeat(20), `${'a'.repeat(300)}\xfe\xf0\xa5|^~<>{}[]@\\\``),
  ),
})
const fields = fc.uniqueArray(field, {selector: ({name}) => name, maxLength: 6})
const piece = fc.oneof(fc.nat(50), fc.constantFrom(1, 16_383, 16_384, 16_385, 70_000, 300_000)).chain((length) => {
  return fc.nat(255).map((byte) => new Uint8Array(length).fill(byte))
})
const exchange: fc.Arbitrary<Exchange> = fc.record({fields, body: fc.array(piece, {maxLength: 4}), trailers: fields})
const exchanges = fc.array(exchange, {minLength: 1, maxLength: 12})
const windows = fc.constantFrom(1000, 65_535, 1_000_000)

const headersOf = (list: readonly HeaderField[]) => Object.fromEntries(list.map(({name, value}) => [name, value]))
const custom = (headers: object) => Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-')))
const seen = ({fields, body, trailers}: Exchange) => ({
  fields: headersOf(fields),
  body: Buffer.concat(body).toString('base64'),
  trailers: headersOf(trailers),
})

/** Sends back what came: fields, body in the pieces that it came in, trailers. */
async function echo(stream: ServerStream, request: readonly HeaderField[]): Promise<void> {
  stream.sendHeaders([{name: ':status', value: '200'}, ...request.filter(({name}) => name.startsWith('x-'))])
  for await (const piece of stream) await stream.write(piece)
  stream.end(stream.trailers ? [...stream.trailers] : undefined)
}

function nodeEcho(stream: node.ServerHttp2Stream, headers: node.IncomingHttpHeaders): void {
  let trailers: node.IncomingHttpHeaders = {}
  stream.on('trailers', (came) => (trailers = came))
  stream.on('error', () => undefined)
  stream.on('wantTrailers', () => stream.sendTrailers(custom(trailers) as node.OutgoingHttpHeaders))
  stream.respond({':status': 200, ...custom(headers)}, {waitForTrailers: true})
  stream.pipe(stream)
}

async function askByNode(session: node.ClientHttp2Session, {fields, body, trailers}: Exchange) {
  const stream = session.request({':method': 'POST', ':path': '/', ...headersOf(fields)}, {waitForTrailers: true})
  stream.on('wantTrailers', () => stream.sendTrailers(headersOf(trailers)))
  let head: object = {}
  let tail: object = {}
  stream.on('response', (headers) => (head = headers))
  stream.on('trailers', (headers) => (tail = headers))
  for (const piece of body) stream.write(piece)
  stream.end()
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(piece)
  return {fields: custom(head), body: Buffer.concat(pieces).toString('base64'), trailers: custom(tail)}
}

const requestTo = (path: string) => [
  {name: ':method', value: 'POST'},
  {name: ':scheme', value: 'http'},
  {name: ':authority', value: 'localhost'},
  {name: ':path', value: path},
]

async function askByUs(client: ClientConnection, {fields, body, trailers}: Exchange) {
  const stream = await client.request([...requestTo('/'), ...fields])
  const sent = (async () => {
    for (const piece of body) await stream.write(piece)
    stream.end(trailers)
  })()
  const head = await stream.response
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  await sent
  const tail = stream.trailers ?? []
  return {fields: custom(headersOf(head)), body: Buffer.concat(pieces).toString('base64'), trailers: headersOf(tail)}
}

describe('serveConnection() and a client of node:http2', () => {
  test('exchange any fields, bodies and trailers, many at once, with small and large windows', async () => {
    await fc.assert(
      fc.asyncProperty(exchanges, windows, windows, fc.boolean(), async (list, ours, theirs, huffman) => {
        const path = await ourServer({onStream: echo, streamWindow: ours, connectionWindow: ours, huffman})
        const session = nodeClient(path, {initialWindowSize: theirs})
        try {
          expect(await Promise.all(list.map((one) => askByNode(session, one)))).toEqual(list.map(seen))
        } finally {
          session.destroy()
        }
      }),
      {numRuns: 25},
    )
  })

  test('take turns on one connection for a thousand requests, 100 at a time', async () => {
    const path = await ourServer({onStream: echo, maxConcurrentStreams: 100})
    const session = nodeClient(path)
    for (let round = 0; round < 10; round++) {
      const list = Array.from({length: 100}, (_, n) => ({fields: [{name: 'x-n', value: `${round}/${n}`}], body: [], trailers: []}))
      expect(await Promise.all(list.map((one) => askByNode(session, one)))).toEqual(list.map(seen))
    }
  })

  test('agree on pings, resets and refusals', async () => {
    const aborted = Promise.withResolvers<unknown>()
    const path = await ourServer({
      maxConcurrentStreams: 1,
      onStream: (stream) => {
        stream.signal.addEventListener('abort', () => aborted.resolve(stream.signal.reason))
        return aborted.promise.then(() => undefined)
      },
    })
    const session = nodeClient(path)
    await once(session, 'remoteSettings')
    expect(await new Promise((resolve) => session.ping(Buffer.from('abcdefgh'), (_, __, payload) => resolve(String(payload))))).toBe(
      'abcdefgh',
    )
    const one = session.request({':method': 'POST', ':path': '/'})
    one.on('error', () => undefined)
    one.close(errorCodes.CANCEL)
    expect(await aborted.promise).toMatchObject({by: 'peer', code: errorCodes.CANCEL})
  })

  test('agree that a connection ends: GOAWAY of close() lets the request end', async () => {
    let close: () => void = () => undefined
    const path = join(tempDir(), 's')
    const server = createServer((socket) => {
      const connection = serveConnection(socket, {onStream: echo})
      close = () => connection.close()
    })
    await once(server.listen(path), 'listening')
    const session = nodeClient(path)
    const stream = session.request({':method': 'POST', ':path': '/'})
    await once(stream, 'response')
    const gone = once(session, 'goaway')
    close()
    expect((await gone)[0]).toBe(0)
    stream.end('rest')
    expect(String(await stream.toArray())).toBe('rest')
    await once(session, 'close')
    server.close()
  })
})

describe('openConnection() and a server of node:http2', () => {
  test('exchange any fields, bodies and trailers, many at once, with small and large windows', async () => {
    await fc.assert(
      fc.asyncProperty(exchanges, windows, windows, fc.boolean(), async (list, ours, theirs, huffman) => {
        const path = await nodeServer(nodeEcho, {initialWindowSize: theirs})
        const client = ourClient(path, {streamWindow: ours, connectionWindow: ours, huffman})
        expect(await Promise.all(list.map((one) => askByUs(client, one)))).toEqual(list.map(seen))
        client.destroy()
      }),
      {numRuns: 25},
    )
  })

  test('wait for a stream that the server has room for', async () => {
    const path = await nodeServer(nodeEcho, {maxConcurrentStreams: 2})
    const client = ourClient(path)
    expect(await client.ready).toMatchObject({maxConcurrentStreams: 2})
    const list = Array.from({length: 50}, (_, n) => ({fields: [{name: 'x-n', value: String(n)}], body: [Buffer.alloc(n)], trailers: []}))
    expect(await Promise.all(list.map((one) => askByUs(client, one)))).toEqual(list.map(seen))
  })

  test('agree on pings, resets and table sizes', async () => {
    const path = await nodeServer(
      (stream, headers) => {
        stream.on('error', () => undefined)
        if (headers[':path'] === '/reset') stream.close(errorCodes.ENHANCE_YOUR_CALM)
        else nodeEcho(stream, headers)
      },
      {headerTableSize: 0},
    )
    const client = ourClient(path)
    await client.ping()
    const stream = await client.request(requestTo('/reset'))
    await expect(stream.response).rejects.toMatchObject({by: 'peer', code: errorCodes.ENHANCE_YOUR_CALM})
    const one = {fields: [{name: 'x-a', value: 'b'}], body: [Buffer.from('c')], trailers: []}
    for (let times = 0; times < 3; times++) expect(await askByUs(client, one)).toEqual(seen(one))
  })
})

test('openConnection() and serveConnection() exchange any fields, bodies and trailers', async () => {
  await fc.assert(
    fc.asyncProperty(exchanges, windows, windows, fc.boolean(), async (list, ours, theirs, huffman) => {
      const path = await ourServer({onStream: echo, streamWindow: ours, connectionWindow: ours, huffman})
      const client = ourClient(path, {streamWindow: theirs, connectionWindow: theirs, huffman: !huffman})
      expect(await Promise.all(list.map((one) => askByUs(client, one)))).toEqual(list.map(seen))
      client.destroy()
    }),
    {numRuns: 40},
  )
})
