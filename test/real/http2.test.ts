// Our HTTP/2 and Go's, both ways: golang.org/x/net/http2, and grpc-go, whose authority is the path of the socket as a kubelet's was up to 1.29.
import {randomBytes} from 'node:crypto'
import {once} from 'node:events'
import {join} from 'node:path'
import {execa} from 'execa'
import {beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import type {HeaderField} from '../../src/http2/header-field.ts'
import {huffmanDecode, huffmanEncode} from '../../src/http2/huffman.ts'
import type {ServerOptions, ServerStream} from '../../src/http2/server-connection.ts'
import {builtPeers} from '../support/built-peers.ts'
import {ourClient, ourServer} from '../support/http2-peers.ts'
import {tempDir} from '../support/socket-dir.ts'

let oracle = ''
beforeAll(async () => {
  ;[oracle = ''] = await builtPeers('http2-oracle')
})

interface Exchange {
  readonly timeoutMs?: number
  readonly path?: string
  readonly fields: Readonly<Record<string, string>>
  /** Base64, a piece or a message each. */
  readonly body?: readonly string[]
  readonly trailers?: Readonly<Record<string, string>>
  readonly code?: string
  readonly message?: string
  readonly error?: string
}

async function ask(command: 'request' | 'call', path: string, list: readonly Exchange[]): Promise<Exchange[]> {
  const {stdout} = await execa(oracle, [command, path], {input: list.map((one) => JSON.stringify(one)).join('\n'), maxBuffer: 2 ** 30})
  return stdout.split('\n').map((line) => JSON.parse(line))
}

async function goServer(command: 'serve' | 'serve-grpc'): Promise<string> {
  const path = join(tempDir(), 's')
  const child = execa(oracle, [command, path], {reject: false})
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  return path
}

const custom = (fields: readonly HeaderField[]) => fields.filter(({name}) => name.startsWith('x-'))
const record = (fields: readonly HeaderField[]) => Object.fromEntries(custom(fields).map(({name, value}) => [name, value]))

/** gRPC's frames pass through as they are, so it echoes for both. */
async function echo(stream: ServerStream, request: readonly HeaderField[]): Promise<void> {
  const grpc = request.some(({name, value}) => name === 'content-type' && value.startsWith('application/grpc'))
  const type = grpc ? [{name: 'content-type', value: 'application/grpc'}] : []
  stream.sendHeaders([{name: ':status', value: '200'}, ...type, ...custom(request)])
  for await (const piece of stream) await stream.write(piece)
  stream.end([
    ...custom(stream.trailers ?? []),
    ...(grpc
      ? [
          {name: 'grpc-status', value: '0'},
          {name: 'x-end', value: 'yes'},
        ]
      : []),
  ])
}

const bodies: readonly (readonly number[])[] = [[], [0], [1], [16_384], [16_385, 3], [65_535, 65_536], [1_000_000], [5, 0, 5, 0, 5]]
const values = ['a', 'b c', '~'.repeat(3000), 'x'.repeat(20_000), `${'a'.repeat(300)}|^<>{}[]@\`\\`]

function exchanges(count: number): Exchange[] {
  return Array.from({length: count}, (_, n) => ({
    path: `/echo.Echo/Say${n % 7}`,
    fields: {'x-n': String(n), 'x-value': values[n % values.length] ?? ''},
    body: (bodies[n % bodies.length] ?? []).map((size) => randomBytes(size).toString('base64')),
    trailers: n % 3 === 0 ? {} : {'x-trailer': `t${n}`},
  }))
}

const whole = (body: readonly string[] = []) => Buffer.concat(body.map((piece) => Buffer.from(piece, 'base64'))).toString('base64')
/** Empty messages are empty lines of the oracle's, and none is null. */
const messages = (body: readonly string[] | null | undefined) => body ?? []

const servers: readonly [string, Omit<ServerOptions, 'onStream'>][] = [
  ['as it comes', {}],
  ['with small windows', {streamWindow: 1000, connectionWindow: 70_000}],
  ['with Huffman and few streams', {huffman: true, maxConcurrentStreams: 3}],
]

test('huffmanEncode() and huffmanDecode() agree with Go on each octet', async () => {
  const {stdout} = await execa(oracle, ['huffman'])
  const codes = stdout.split('\n')
  expect(codes).toHaveLength(256)
  for (const [octet, code] of codes.entries()) {
    expect(huffmanEncode(Uint8Array.of(octet)).toString('hex')).toBe(code)
    expect(huffmanDecode(Buffer.from(code, 'hex'))).toEqual(Buffer.of(octet))
  }
})

describe.each(servers)('serveConnection() %s', (_, options) => {
  test('answers golang.org/x/net/http2', async () => {
    const path = await ourServer({...options, onStream: echo})
    const list = exchanges(60)
    const answers = await ask('request', path, list)
    expect(answers).toEqual(list.map(({fields, body, trailers}) => ({fields, body: [whole(body)], trailers})))
  })

  test('answers grpc-go, whose authority is a path', async () => {
    const authorities = new Set<string | undefined>()
    const path = await ourServer({
      ...options,
      onStream: (stream, request) => {
        authorities.add(request.find(({name}) => name === ':authority')?.value)
        return echo(stream, request)
      },
    })
    const list = exchanges(60)
    const answers = await ask('call', path, list)
    expect(answers.map(({fields, body, code}) => ({fields, body: messages(body), code}))).toEqual(
      list.map(({fields, body}) => ({fields, body, code: 'OK'})),
    )
    expect(answers.every(({trailers}) => trailers?.['x-end'] === 'yes')).toBe(true)
    expect([...authorities]).toEqual([path])
  })
})

test('serveConnection() tells a handler when Go gives up, and serves on', async () => {
  const resets: number[] = []
  const path = await ourServer({
    onStream: async (stream, request) => {
      if (request.some(({name, value}) => name === ':path' && value === '/echo.Echo/Hang')) {
        await new Promise((resolve) => stream.signal.addEventListener('abort', resolve))
        resets.push(stream.failure?.code ?? -1)
      } else await echo(stream, request)
    },
  })
  const hang = {path: '/echo.Echo/Hang', fields: {}, timeoutMs: 200}
  const answers = await ask('call', path, [...Array.from({length: 20}, () => hang), ...exchanges(20)])
  expect(answers.map(({code}) => code)).toEqual([...Array(20).fill('DeadlineExceeded'), ...Array(20).fill('OK')])
  expect(resets).toEqual(Array(20).fill(8))
})

describe.each([
  ['as it comes', {}],
  ['with small windows', {streamWindow: 1000, connectionWindow: 70_000}],
  ['with Huffman', {huffman: true}],
])('openConnection() %s', (_, options) => {
  const pseudo = (path: string, authority: string) => [
    {name: ':method', value: 'POST'},
    {name: ':scheme', value: 'http'},
    {name: ':authority', value: authority},
    {name: ':path', value: path},
  ]
  const fieldsOf = (map: Readonly<Record<string, string>> = {}) => Object.entries(map).map(([name, value]) => ({name, value}))

  test('asks golang.org/x/net/http2, beyond its limit of streams', async () => {
    const path = await goServer('serve')
    const client = ourClient(path, options)
    await client.ready
    const list = exchanges(120)
    const answers = await Promise.all(
      list.map(async ({path: of = '', fields, body = [], trailers = {}}) => {
        const declared = Object.keys(trailers).map((name) => ({name: 'trailer', value: name}))
        const stream = await client.request([...pseudo(of, 'localhost'), ...declared, ...fieldsOf(fields)])
        const sent = (async () => {
          for (const piece of body) await stream.write(Buffer.from(piece, 'base64'))
          stream.end(fieldsOf(trailers))
        })()
        const head = await stream.response
        const pieces: Uint8Array[] = []
        for await (const piece of stream) pieces.push(piece)
        await sent
        return {fields: record(head), body: Buffer.concat(pieces).toString('base64'), trailers: record(stream.trailers ?? [])}
      }),
    )
    expect(answers).toEqual(list.map(({fields, body, trailers}) => ({fields, body: whole(body), trailers})))
  })

  test('is told by Go that a handler broke', async () => {
    const client = ourClient(await goServer('serve'), options)
    const stream = await client.request(pseudo('/panic', 'localhost'), {endStream: true})
    await expect(stream.response).rejects.toMatchObject({by: 'peer', code: 2})
    await client.ping()
  })

  test('asks grpc-go', async () => {
    const client = ourClient(await goServer('serve-grpc'), options)
    const list = exchanges(60)
    const grpc = [
      {name: 'content-type', value: 'application/grpc'},
      {name: 'te', value: 'trailers'},
    ]
    const answers = await Promise.all(
      list.map(async ({path: of = '', fields, body = []}) => {
        const stream = await client.request([...pseudo(of, 'localhost'), ...grpc, ...fieldsOf(fields)])
        const framed = Buffer.concat(
          body.map((piece) => {
            const bytes = Buffer.from(piece, 'base64')
            const prefix = Buffer.alloc(5)
            prefix.writeUInt32BE(bytes.length, 1)
            return Buffer.concat([prefix, bytes])
          }),
        )
        const sent = stream.write(framed)
        stream.end()
        await stream.response
        const pieces: Uint8Array[] = []
        for await (const piece of stream) pieces.push(piece)
        await sent
        expect(Buffer.concat(pieces).equals(framed)).toBe(true)
        return stream.trailers?.find(({name}) => name === 'grpc-status')?.value
      }),
    )
    expect(answers).toEqual(list.map(() => '0'))
  })
})
