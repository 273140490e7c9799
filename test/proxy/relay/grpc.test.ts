// gRPC through the relay, as connect-es speaks it on node:http2: passed, and taken by somebody who changes nothing.
import {once} from 'node:events'
import {connect} from 'node:net'
import {join} from 'node:path'
import {Code, ConnectError, type ConnectRouter, createClient} from '@connectrpc/connect'
import {compressionGzip, createGrpcTransport, Http2SessionManager} from '@connectrpc/connect-node'
import {expect, onTestFinished, test} from 'vitest'
import type {HandleCall} from '../../../src/proxy/relay/handling.ts'
import {RuntimeService} from '../../../src/wire/gen/cri_pb.ts'
import {serveGrpc} from '../../../src/wire/serve-grpc.ts'
import {bridge} from '../../support/bridge.ts'
import {passAll, relayed} from '../../support/relayed.ts'
import {tempDir} from '../../support/socket-dir.ts'

const takeAll: HandleCall = () => ({kind: 'take', take: (call) => bridge(call)})
const ways = [
  ['passed', passAll],
  ['taken', takeAll],
] as const

async function client(handleCall: HandleCall, routes: (router: ConnectRouter) => void) {
  const server = await serveGrpc({path: join(tempDir(), 's'), routes})
  onTestFinished(() => server[Symbol.asyncDispose]())
  const {path, relays} = await relayed(server.path, handleCall)
  const nodeOptions = {createConnection: () => connect(path)}
  const sessionManager = new Http2SessionManager('http://localhost', {}, nodeOptions)
  onTestFinished(() => sessionManager.abort())
  const transport = createGrpcTransport({
    baseUrl: 'http://localhost',
    sessionManager,
    sendCompression: compressionGzip,
    acceptCompression: [compressionGzip],
    compressMinBytes: 1000,
  })
  return {runtime: createClient(RuntimeService, transport), relays, server}
}

test.each(ways)('a unary call that is %s has its answer, metadata and compression', async (_, handleCall) => {
  const {runtime} = await client(handleCall, (router) =>
    router.service(RuntimeService, {
      version: ({version}, {requestHeader, responseHeader, responseTrailer}) => {
        responseHeader.set('x-head', requestHeader.get('x-ask') ?? '')
        responseTrailer.set('x-tail-bin', 'AAEC')
        return {version, runtimeName: 'n'.repeat(100_000)}
      },
    }),
  )
  let head: Headers | undefined
  let tail: Headers | undefined
  const options = {
    headers: {'x-ask': 'e'},
    onHeader: (h: Headers) => (head = h),
    onTrailer: (t: Headers) => (tail = t),
  }
  const answer = await runtime.version({version: 'v'.repeat(50_000)}, options)
  expect([answer.version.length, answer.runtimeName.length]).toEqual([50_000, 100_000])
  expect([head?.get('x-head'), tail?.get('x-tail-bin')]).toEqual(['e', 'AAEC'])
})

test.each(ways)('an error of a call that is %s keeps code and words', async (_, handleCall) => {
  const {runtime} = await client(handleCall, (router) =>
    router.service(RuntimeService, {
      status: () => {
        throw new ConnectError('no 100% of “it”', Code.FailedPrecondition)
      },
    }),
  )
  await expect(runtime.status({})).rejects.toMatchObject({code: Code.FailedPrecondition, rawMessage: 'no 100% of “it”'})
  await expect(runtime.runtimeConfig({})).rejects.toMatchObject({code: Code.Unimplemented})
})

test.each(ways)(
  'a stream of messages that is %s comes as it is sent, and its end by the client reaches the server',
  async (_, handleCall) => {
    const gone = Promise.withResolvers<void>()
    const {runtime, relays} = await client(handleCall, (router) =>
      router.service(RuntimeService, {
        async *getContainerEvents(_, {signal}) {
          signal.addEventListener('abort', () => gone.resolve())
          yield {containerId: 'a'}
          yield {containerId: 'b'}
          await once(signal, 'abort')
        },
      }),
    )
    const stop = new AbortController()
    const seen: string[] = []
    const events = async () => {
      for await (const {containerId} of runtime.getContainerEvents({}, {signal: stop.signal}))
        if (seen.push(containerId) === 2) stop.abort()
    }
    await expect(events()).rejects.toMatchObject({code: Code.Canceled})
    await gone.promise
    expect(seen).toEqual(['a', 'b'])
    expect(relays).toHaveLength(1)
  },
)

test.each(ways)('hundreds of calls at once and one of 16 MiB that are %s have their answers', async (_, handleCall) => {
  const {runtime} = await client(handleCall, (router) =>
    router.service(RuntimeService, {
      version: ({version}) => ({version}),
      listContainers: () => ({containers: [{id: 'x'.repeat(16 * 1024 * 1024)}]}),
    }),
  )
  const large = runtime.listContainers({})
  const answers = await Promise.all(Array.from({length: 400}, (_, index) => runtime.version({version: `${index}`})))
  expect(answers.map(({version}) => version)).toEqual(Array.from({length: 400}, (_, index) => `${index}`))
  expect((await large).containers[0]?.id.length).toBe(16 * 1024 * 1024)
})

test.each(ways)('the deadline of a call that is %s is the server’s, too', async (_, handleCall) => {
  const gone = Promise.withResolvers<unknown>()
  const {runtime} = await client(handleCall, (router) =>
    router.service(RuntimeService, {
      status: async (_, {signal}) => {
        await once(signal, 'abort')
        gone.resolve(signal.reason)
        return {}
      },
    }),
  )
  await expect(runtime.status({}, {timeoutMs: 200})).rejects.toMatchObject({code: Code.DeadlineExceeded})
  expect(await gone.promise).toBeInstanceOf(ConnectError)
})
