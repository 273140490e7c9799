import {connect} from 'node:net'
import {join} from 'node:path'
import {create, toBinary} from '@bufbuild/protobuf'
import {anyPack, StringValueSchema} from '@bufbuild/protobuf/wkt'
import {Code, ConnectError, createClient} from '@connectrpc/connect'
import {compressionGzip, createGrpcTransport} from '@connectrpc/connect-node'
import {expect, onTestFinished, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {delay} from '../../../src/faults/delay.ts'
import {execThenError} from '../../../src/faults/exec-then-error.ts'
import {fail} from '../../../src/faults/fail.ts'
import type {Fault} from '../../../src/faults/fault.ts'
import {rewrite} from '../../../src/faults/rewrite.ts'
import {openConnection} from '../../../src/http2/client-connection.ts'
import {callHandler} from '../../../src/proxy/call/call-handler.ts'
import {nameIndex} from '../../../src/proxy/call/names/name-index.ts'
import {ruleBook} from '../../../src/proxy/call/rule-book.ts'
import type {TracedCall} from '../../../src/proxy/call/traced-call.ts'
import {RuntimeService} from '../../../src/wire/gen/cri_pb.ts'
import {serveGrpc} from '../../../src/wire/serve-grpc.ts'
import {relayed} from '../../support/relayed.ts'
import {tempDir} from '../../support/socket-dir.ts'

/** connect's client, the relay and our gRPC server, each on its socket. */
async function proxiedRuntime(method: string, fault: Fault) {
  const served: string[] = []
  const server = await serveGrpc({
    path: join(tempDir(), 's'),
    routes: (router) =>
      router.service(RuntimeService, {
        version: ({version}) => {
          served.push(version)
          return {version: '0.1.0', runtimeName: 'real'.repeat(1000), runtimeVersion: version}
        },
        async *getContainerEvents() {
          for (let count = 1; count <= 3; count++) yield {containerId: `c${count}`}
        },
      }),
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const calls: TracedCall[] = []
  let ids = 0
  const handleCall = callHandler({
    book: ruleBook({rules: [{name: 'r', match: {method}, fault}], seed: 1, clock: systemClock}),
    clock: systemClock,
    names: nameIndex(),
    underWay: {clients: 0, server: 0},
    connection: 1,
    nextId: () => ++ids,
    decodeAll: true,
    signal: new AbortController().signal,
    healed: new AbortController().signal,
    dial: async () => openConnection(connect(server.path)),
    onCall: (call) => void calls.push(call),
  })
  const {path} = await relayed(server.path, handleCall)
  const transport = createGrpcTransport({
    baseUrl: 'http://localhost',
    nodeOptions: {createConnection: () => connect(path)},
    acceptCompression: [compressionGzip],
    sendCompression: compressionGzip,
    compressMinBytes: 10,
  })
  return {client: createClient(RuntimeService, transport), calls, served}
}

test('a status with details is what connect’s client reads', async () => {
  const detail = create(StringValueSchema, {value: 'why'})
  const value = Buffer.from(toBinary(StringValueSchema, detail)).toString('base64')
  const {client, served} = await proxiedRuntime(
    'Version',
    fail('FAILED_PRECONDITION', 'nicht so: 100% ä', [{type: anyPack(StringValueSchema, detail).typeUrl, value}]),
  )
  const error = await client.version({}).catch((reason) => ConnectError.from(reason))
  expect(error).toMatchObject({code: Code.FailedPrecondition, rawMessage: 'nicht so: 100% ä'})
  expect(error instanceof ConnectError && error.findDetails(StringValueSchema)).toEqual([detail])
  expect(served).toEqual([])
})

test('a compressed request is seen and changed, a compressed answer is changed', async () => {
  const {client, served, calls} = await proxiedRuntime('Version', rewrite({request: {version: 'changed'}, reply: {runtimeName: 'fake'}}))
  const version = 'v1'.repeat(100)
  expect(await client.version({version})).toMatchObject({version: '0.1.0', runtimeName: 'fake', runtimeVersion: 'changed'})
  expect(served).toEqual(['changed'])
  expect(calls).toMatchObject([{code: 'OK', fault: 'rewrite', request: {version}}])
})

test('the server does it, and the client has the error', async () => {
  const {client, served, calls} = await proxiedRuntime('Version', execThenError('UNAVAILABLE', 'EOF'))
  await expect(client.version({version: 'a'})).rejects.toMatchObject({code: Code.Unavailable, rawMessage: 'EOF'})
  expect([served, calls]).toMatchObject([['a'], [{code: 'UNAVAILABLE', upstream: {code: 'OK', late: false}}]])
})

test('a stream is the same with a delay before it', async () => {
  const {client} = await proxiedRuntime('GetContainerEvents', delay(5))
  const ids: string[] = []
  for await (const {containerId} of client.getContainerEvents({})) ids.push(containerId)
  expect(ids).toEqual(['c1', 'c2', 'c3'])
})
