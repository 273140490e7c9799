import {existsSync, statSync} from 'node:fs'
import * as node from 'node:http2'
import {connect} from 'node:net'
import {join} from 'node:path'
import {Code, ConnectError, type ConnectRouter, type ServiceImpl} from '@connectrpc/connect'
import {describe, expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../src/base/clock.ts'
import {openConnection} from '../../src/http2/client-connection.ts'
import {fieldValue, type HeaderField} from '../../src/http2/header-field.ts'
import {callTimeout} from '../../src/wire/call-timeout.ts'
import {openCri} from '../../src/wire/cri-client.ts'
import {RuntimeService} from '../../src/wire/gen/cri_pb.ts'
import {type GrpcServerOptions, serveGrpc} from '../../src/wire/serve-grpc.ts'
import {tempDir} from '../support/socket-dir.ts'

async function serve(routes: (router: ConnectRouter) => void, options: Partial<GrpcServerOptions> = {}): Promise<string> {
  const server = await serveGrpc({path: join(tempDir(), 's'), routes, ...options})
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server.path
}

const runtime = (service: Partial<ServiceImpl<typeof RuntimeService>>) => (router: ConnectRouter) => {
  router.service(RuntimeService, service)
}

const version = {version: () => ({version: '0.1.0', runtimeName: 'fake', runtimeVersion: '1', runtimeApiVersion: 'v1'})}

const method = '/runtime.v1.RuntimeService/Version'

interface Asked {
  readonly path?: string
  readonly fields?: readonly HeaderField[]
  readonly authority?: string
  readonly body?: Uint8Array
  readonly contentType?: string
}

const empty = new Uint8Array(5)

function dial(path: string) {
  const socket = connect(path)
  const client = openConnection(socket)
  onTestFinished(() => {
    client.destroy()
    socket.destroy()
  })
  const call = ({path = method, fields = [], authority = '/run/x.sock', contentType = 'application/grpc'}: Asked = {}) =>
    client.request([
      {name: ':method', value: 'POST'},
      {name: ':scheme', value: 'http'},
      {name: ':path', value: path},
      {name: ':authority', value: authority},
      {name: 'content-type', value: contentType},
      {name: 'te', value: 'trailers'},
      ...fields,
    ])
  const ask = async (asked: Asked = {}) => {
    const stream = await call(asked)
    stream.write(asked.body ?? empty).catch(() => undefined)
    stream.end()
    const head = await stream.response
    let size = 0
    for await (const piece of stream) size += piece.length
    return {head, size, trailers: stream.trailers}
  }
  return {client, call, ask}
}

describe('serveGrpc()', () => {
  test('serves the clients of this house', async () => {
    await using client = await openCri({
      path: await serve(runtime(version)),
      clock: systemClock,
      connectTimeoutMs: 5000,
      callTimeoutMs: 5000,
    })
    expect(client.runtime).toEqual({name: 'fake', version: '1', api: 'v1'})
  })

  test.each(['', '/run/containerd/containerd.sock', 'unix:///run/x.sock', 'localhost'])(
    'answers with %j as :authority',
    async (authority) => {
      const {ask} = dial(await serve(runtime(version)))
      const {head, size, trailers} = await ask({authority})
      expect(fieldValue(head, ':status')).toBe('200')
      expect(size).toBeGreaterThan(5)
      expect(trailers).toContainEqual({name: 'grpc-status', value: '0'})
    },
  )

  test.each([
    ['/a.B/C', 'unknown service a.B'],
    ['/runtime.v1.RuntimeService/Nothing', 'unknown method Nothing for service runtime.v1.RuntimeService'],
    ['/nothing', 'malformed method name: "/nothing"'],
    ['nothing', 'malformed method name: "nothing"'],
    ['/a b/%/C?d#e', 'unknown service a b/%'],
  ])('answers %s in one block of fields, in grpc-go’s words', async (path, message) => {
    const {ask} = dial(await serve(runtime(version)))
    const {head, size, trailers} = await ask({path})
    expect(head).toEqual([
      {name: ':status', value: '200'},
      {name: 'content-type', value: 'application/grpc'},
      {name: 'grpc-status', value: '12'},
      {name: 'grpc-message', value: encodeURIComponent(message)},
    ])
    expect([size, trailers]).toEqual([0, undefined])
  })

  test('answers an error before any message in one block of fields, a method that is not there too', async () => {
    const fails = () => {
      throw new ConnectError('no such sandbox', Code.NotFound)
    }
    const {ask} = dial(await serve(runtime({...version, listPodSandbox: fails})))
    for (const [path, code] of [
      ['ListPodSandbox', '5'],
      ['Status', '12'],
    ]) {
      const {head, size, trailers} = await ask({path: `/runtime.v1.RuntimeService/${path}`})
      expect(fieldValue(head, ':status')).toBe('200')
      expect(fieldValue(head, 'content-type')).toBe('application/grpc')
      expect(fieldValue(head, 'grpc-status')).toBe(code)
      expect([size, trailers]).toEqual([0, undefined])
    }
  })

  test('sends fields of a handler’s own as headers, and the error behind them in trailers', async () => {
    const {ask} = dial(
      await serve(
        runtime({
          version: (_, {responseHeader, responseTrailer}) => {
            responseHeader.set('x-own', 'a')
            responseTrailer.set('x-last', 'b')
            throw new ConnectError('no', Code.Internal)
          },
        }),
      ),
    )
    const {head, size, trailers} = await ask()
    expect([fieldValue(head, 'x-own'), fieldValue(head, 'grpc-status'), size]).toEqual(['a', undefined, 0])
    expect([fieldValue(trailers ?? [], 'x-last'), fieldValue(trailers ?? [], 'grpc-status')]).toEqual(['b', '13'])
  })

  test('answers an error after messages in trailers', async () => {
    const {ask} = dial(
      await serve(
        runtime({
          async *streamContainers() {
            yield {containers: [{id: 'a'}]}
            throw new ConnectError('over', Code.Aborted)
          },
        }),
      ),
    )
    const {head, size, trailers} = await ask({path: '/runtime.v1.RuntimeService/StreamContainers'})
    expect(fieldValue(head, 'grpc-status')).toBeUndefined()
    expect(size).toBe(5 + 5)
    expect(fieldValue(trailers ?? [], 'grpc-status')).toBe('10')
    expect(fieldValue(trailers ?? [], 'grpc-message')).toBe('over')
  })

  test.each([
    ['119994m', 119_994],
    ['2M', 120_000],
    ['1S', 1000],
    ['99999999H', 99_999_999 * 3_600_000],
    ['500u', 0.5],
    [undefined, undefined],
  ])('tells handlers of a grpc-timeout of %s, and connect of none', async (timeout, ms) => {
    const seen: unknown[] = []
    const routes = runtime({
      version: (
        _: unknown,
        context: {values: {get: (key: typeof callTimeout) => unknown}; timeoutMs: () => unknown; requestHeader: Headers},
      ) => {
        seen.push(context.values.get(callTimeout), context.timeoutMs(), context.requestHeader.get('grpc-timeout'))
        return {}
      },
    })
    const {ask} = dial(await serve(routes))
    await ask(timeout === undefined ? {} : {fields: [{name: 'grpc-timeout', value: timeout}]})
    expect(seen).toEqual([ms, undefined, null])
  })

  test.each<[string, Asked, string, string]>([
    ['a malformed grpc-timeout', {fields: [{name: 'grpc-timeout', value: '1x'}]}, '400', '13'],
    ['another content-type', {contentType: 'application/json'}, '415', '3'],
    ['application/grpc-web', {contentType: 'application/grpc-web+proto'}, '415', '3'],
  ])('refuses %s as grpc-go does', async (_, asked, http, code) => {
    const {ask} = dial(await serve(runtime(version)))
    const {head} = await ask(asked)
    expect([fieldValue(head, ':status'), fieldValue(head, 'grpc-status')]).toEqual([http, code])
  })

  test('aborts the handler’s signal when the client resets the call, and when the connection is gone', async () => {
    const reasons: unknown[] = []
    const entered: (() => void)[] = []
    const path = await serve(
      runtime({
        version: async (_: unknown, {signal}: {signal: AbortSignal}) => {
          entered.shift()?.()
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
          reasons.push(signal.reason)
          entered.shift()?.()
          return {}
        },
      }),
    )
    const next = () => new Promise<void>((resolve) => entered.push(resolve))
    const {call, client} = dial(path)
    for (const giveUp of [(stream: {reset: (code: number) => void}) => stream.reset(8), () => client.destroy()]) {
      const begun = next()
      const stream = await call()
      await stream.write(empty)
      stream.end()
      await begun
      const ended = next()
      giveUp(stream)
      await ended
    }
    expect(reasons).toEqual([expect.objectContaining({code: Code.Canceled}), expect.objectContaining({code: Code.Canceled})])
  })

  test('takes and gives messages of 16 MiB, while others are served', async () => {
    const large = 'x'.repeat(16 * 1024 * 1024)
    const sizes: number[] = []
    const routes = runtime({
      ...version,
      listPodSandbox: () => ({items: [{id: large}]}),
      containerStatus: ({containerId}) => {
        sizes.push(containerId.length)
        return {}
      },
    })
    const {ask} = dial(await serve(routes))
    const varint = (value: number): number[] => (value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))])
    const message = Buffer.concat([Buffer.of(0x0a, ...varint(large.length)), Buffer.from(large)])
    const prefix = Buffer.alloc(5)
    prefix.writeUInt32BE(message.length, 1)
    const [down, up, ...small] = await Promise.all([
      ask({path: '/runtime.v1.RuntimeService/ListPodSandbox'}),
      ask({path: '/runtime.v1.RuntimeService/ContainerStatus', body: Buffer.concat([prefix, message])}),
      ...Array.from({length: 200}, () => ask()),
    ])
    expect(down?.size).toBeGreaterThan(large.length)
    expect(fieldValue(up?.trailers ?? [], 'grpc-status')).toBe('0')
    expect(sizes).toEqual([large.length])
    expect(small.every(({trailers}) => fieldValue(trailers ?? [], 'grpc-status') === '0')).toBe(true)
  })

  test('is not held up by thousands of calls that hang, and answers them all when they go on', async () => {
    const gate = Promise.withResolvers<void>()
    const {ask} = dial(await serve(runtime({...version, listContainers: () => gate.promise.then(() => ({}))})))
    const hanging = Array.from({length: 3000}, () => ask({path: '/runtime.v1.RuntimeService/ListContainers'}))
    expect((await ask()).size).toBeGreaterThan(0)
    gate.resolve()
    for (const {trailers} of await Promise.all(hanging)) expect(fieldValue(trailers ?? [], 'grpc-status')).toBe('0')
  })

  test('takes the place of what lies at its path, has the mode that is asked for, and leaves nothing', async () => {
    const path = join(tempDir(), 's')
    await serve(runtime(version), {path})
    const server = await serveGrpc({path, routes: runtime(version), mode: 0o600})
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await dial(path).ask()
    await server[Symbol.asyncDispose]()
    expect(existsSync(path)).toBe(false)
  })

  test('ends all connections with GOAWAY when it is disposed of', async () => {
    const connections: unknown[] = []
    const server = await serveGrpc({
      path: join(tempDir(), 's'),
      routes: runtime(version),
      onConnection: (socket) => connections.push(socket),
    })
    const {ask, client} = dial(server.path)
    await ask()
    await server[Symbol.asyncDispose]()
    // The reason of a connection that is lost without GOAWAY says so.
    expect(await client.ended).toEqual({by: 'peer', code: 0, reason: ''})
    expect(connections).toHaveLength(1)
  })

  test('serves a client of node:http2', async () => {
    const path = await serve(runtime(version))
    const session = node.connect('http://localhost', {createConnection: () => connect(path)})
    onTestFinished(() => session.destroy())
    const stream = session.request(
      {':method': 'POST', ':path': method, 'content-type': 'application/grpc', te: 'trailers'},
      {endStream: false},
    )
    let trailers: node.IncomingHttpHeaders = {}
    stream.on('trailers', (came) => (trailers = came))
    stream.end(empty)
    expect(Buffer.concat(await stream.toArray()).toString('latin1')).toContain('fake')
    expect(trailers['grpc-status']).toBe('0')
  })
})
