import {gunzipSync, gzipSync} from 'node:zlib'
import {create, toBinary} from '@bufbuild/protobuf'
import {expect, test} from 'vitest'
import type {Plan, Reply} from '../../../../src/faults/plan.ts'
import type {Rule} from '../../../../src/faults/rule.ts'
import {errorCodes} from '../../../../src/http2/fault.ts'
import {fieldValue} from '../../../../src/http2/header-field.ts'
import {statusFields} from '../../../../src/proxy/call/message/status-fields.ts'
import {
  ContainerEventResponseSchema,
  ContainerEventType,
  ListContainersRequestSchema,
  ListContainersResponseSchema,
  StopContainerRequestSchema,
} from '../../../../src/wire/gen/cri_pb.ts'
import {
  answerOf,
  answerWith,
  framed,
  messageOf,
  messagesIn,
  proxied,
  refuseWith,
  type SeenCall,
  send,
  statusOf,
} from '../../../support/proxied-calls.ts'

const events = '/runtime.v1.RuntimeService/GetContainerEvents'
const list = '/runtime.v1.RuntimeService/ListContainers'

const rule = (method: string, reply: Reply, more: Partial<Plan> = {}): Rule => ({
  name: 'r',
  match: {method},
  fault: {kind: 'some', plan: {before: 0, forward: 1, upstreamDeadline: 'keep', reply, ...more}},
})
const event = (id: string) =>
  messageOf(ContainerEventResponseSchema, {containerId: id, containerEventType: ContainerEventType.CONTAINER_STARTED_EVENT})

/** An event a second. */
async function everySecond(call: SeenCall, clock: {sleep(ms: number): Promise<void>}): Promise<void> {
  call.stream.sendHeaders([
    {name: ':status', value: '200'},
    {name: 'content-type', value: 'application/grpc'},
  ])
  for (let count = 1; call.reset === undefined && count <= 5; count++) {
    await clock.sleep(1000)
    await call.stream.write(event(`c${count}`)).catch(() => undefined)
  }
  call.stream.end(statusFields({code: 'OK', message: ''}))
}

test.for([
  ['UNAVAILABLE', 14],
  [undefined, 0],
] as const)('cut: after two messages the stream ends with %s, and the server’s is reset', async ([code, number]) => {
  const lab = proxied({rules: [rule('GetContainerEvents', {kind: 'cut', after: 2, ...(code && {code})})], serve: everySecond})
  const stream = await send(lab.connect(), events)
  await lab.run(10_000)
  const answer = await answerOf(stream)
  expect(messagesIn(ContainerEventResponseSchema, answer.body).map(({containerId}) => containerId)).toEqual(['c1', 'c2'])
  expect(statusOf(answer).code).toBe(number)
  expect(lab.seen).toMatchObject([{reset: errorCodes.CANCEL}])
  expect(lab.calls).toMatchObject([{code: code ?? 'OK', durationMs: 2000}])
})

test('cut: after no message at all, at once', async () => {
  const lab = proxied({rules: [rule('GetContainerEvents', {kind: 'cut', after: 0, code: 'UNIMPLEMENTED'})], serve: everySecond})
  const stream = await send(lab.connect(), events)
  await lab.run(0)
  const answer = await answerOf(stream)
  expect(answer.trailers).toBeUndefined()
  expect(statusOf(answer).code).toBe(12)
})

test('cut: a stream that ends before passes with its own end', async () => {
  const lab = proxied({rules: [rule('GetContainerEvents', {kind: 'cut', after: 9, code: 'UNAVAILABLE'})], serve: everySecond})
  const stream = await send(lab.connect(), events)
  await lab.run(10_000)
  const answer = await answerOf(stream)
  expect(messagesIn(ContainerEventResponseSchema, answer.body)).toHaveLength(5)
  expect(statusOf(answer).code).toBe(0)
})

test('stall: after one message nothing comes, the stream stays open, and the server does not notice until the client leaves', async () => {
  const lab = proxied({rules: [rule('GetContainerEvents', {kind: 'stall', after: 1})], serve: everySecond})
  const stream = await send(lab.connect(), events)
  let bytes = 0
  const reading = (async () => {
    for await (const piece of stream) bytes += piece.length
  })().catch(() => undefined)
  await lab.run(3500)
  expect(bytes).toBe(event('c1').length)
  expect(stream.state).toBe('half-closed-local')
  expect(lab.seen).toMatchObject([{reset: undefined}])
  stream.reset(errorCodes.CANCEL)
  await lab.run(10_000)
  await reading
  expect(lab.seen).toMatchObject([{reset: errorCodes.CANCEL}])
  expect(lab.calls).toMatchObject([{code: 'CANCELLED', durationMs: 3500}])
})

test('edit: each message of a stream as it comes', async () => {
  const edits = [{kind: 'set', path: 'containerEventType', value: 'CONTAINER_STOPPED_EVENT'}] as const
  const lab = proxied({rules: [rule('GetContainerEvents', {kind: 'edit', edits})], serve: everySecond})
  const stream = await send(lab.connect(), events)
  await lab.run(10_000)
  const types = messagesIn(ContainerEventResponseSchema, (await answerOf(stream)).body).map(({containerEventType}) => containerEventType)
  expect(types).toEqual(Array(5).fill(ContainerEventType.CONTAINER_STOPPED_EVENT))
})

const listed = (...ids: readonly string[]) =>
  toBinary(ListContainersResponseSchema, create(ListContainersResponseSchema, {containers: ids.map((id) => ({id}))}))

test('edit: a compressed answer goes on without its compression', async () => {
  const lab = proxied({
    rules: [rule('ListContainers', {kind: 'edit', edits: [{kind: 'drop', list: 'containers', where: {id: 'a'}}]})],
    serve: async ({stream}) => {
      stream.sendHeaders([
        {name: ':status', value: '200'},
        {name: 'content-type', value: 'application/grpc'},
        {name: 'grpc-encoding', value: 'gzip'},
      ])
      await stream.write(framed(gzipSync(listed('a', 'b')), true))
      stream.end(statusFields({code: 'OK', message: ''}))
    },
  })
  const stream = await send(lab.connect(), list)
  await lab.run(0)
  const {body, first} = await answerOf(stream)
  expect(body).toEqual(framed(listed('b')))
  expect(fieldValue(first, 'grpc-encoding')).toBe('gzip')
})

test.for([
  ['a compression that nobody knows', 'zstd', framed(Uint8Array.of(1, 2), true), 'it is compressed with zstd, which is not known'],
  ['a broken compression', 'gzip', framed(Uint8Array.of(1, 2), true), 'its compression is broken'],
  ['what is no such message', 'identity', framed(Uint8Array.of(0x0a, 9)), 'it is no ListContainersResponse'],
] as const)('edit: %s passes as it is, and the trace says why', async ([, encoding, message, why]) => {
  const lab = proxied({
    rules: [rule('ListContainers', {kind: 'edit', edits: [{kind: 'drop', list: 'containers'}]})],
    serve: async ({stream}) => {
      stream.sendHeaders([
        {name: ':status', value: '200'},
        {name: 'grpc-encoding', value: encoding},
      ])
      await stream.write(message)
      stream.end(statusFields({code: 'OK', message: ''}))
    },
  })
  const stream = await send(lab.connect(), list)
  await lab.run(0)
  expect((await answerOf(stream)).body).toEqual(message)
  expect(lab.calls).toMatchObject([{rule: 'r', skipped: `the answer cannot be edited: ${why}`}])
})

test('edit: a rule whose field there is not lets the call pass, and the trace says why', async () => {
  const lab = proxied({
    rules: [rule('ListContainers*', {kind: 'edit', edits: [{kind: 'set', path: 'containers[].sate', value: 1}]})],
    serve: (call) => answerWith(call, framed(listed('a'))),
  })
  const stream = await send(lab.connect(), list)
  await lab.run(0)
  expect((await answerOf(stream)).body).toEqual(framed(listed('a')))
  expect(lab.calls).toMatchObject([{skipped: "Container has no field 'sate'"}])
})

test('edit: an error of the server stays trailers-only', async () => {
  const lab = proxied({
    rules: [rule('ListContainers', {kind: 'edit', edits: [{kind: 'drop', list: 'containers'}]})],
    serve: (call) => refuseWith(call, 'UNIMPLEMENTED', 'no'),
  })
  const stream = await send(lab.connect(), list)
  await lab.run(0)
  const answer = await answerOf(stream)
  expect([answer.trailers, statusOf(answer)]).toEqual([undefined, {code: 12, message: 'no'}])
})

test('edit of the request: the server gets it changed, also where it came compressed', async () => {
  const edits = [{kind: 'set', path: 'timeout', value: 0}] as const
  const plan = {request: edits}
  const lab = proxied({
    rules: [rule('StopContainer', {kind: 'pass'}, plan)],
    serve: (call) => answerWith(call, framed(new Uint8Array(0))),
  })
  const message = messageOf(StopContainerRequestSchema, {containerId: 'c1', timeout: 30n})
  const body = framed(gzipSync(message.subarray(5)), true)
  await send(lab.connect(), '/runtime.v1.RuntimeService/StopContainer', {body, fields: [{name: 'grpc-encoding', value: 'gzip'}]})
  await lab.run(0)
  expect(messagesIn(StopContainerRequestSchema, lab.seen[0]?.body ?? new Uint8Array(0))).toMatchObject([{containerId: 'c1', timeout: 0n}])
  expect(lab.calls).toMatchObject([{code: 'OK', request: {containerId: 'c1', timeout: 30}}])
  expect(gunzipSync(body.subarray(5))).toHaveLength(message.length - 5)
})

test('stale: each answer is the one before, for the same request', async () => {
  let count = 0
  const lab = proxied({rules: [rule('ListContainers', {kind: 'stale'})], serve: (call) => answerWith(call, framed(listed(`c${++count}`)))})
  const client = lab.connect()
  const other = messageOf(ListContainersRequestSchema, {filter: {id: 'x'}})
  const got: string[] = []
  for (const body of [undefined, undefined, other, undefined]) {
    const stream = await send(client, list, body && {body})
    await lab.run(0)
    got.push(...messagesIn(ListContainersResponseSchema, (await answerOf(stream)).body).map(({containers: [first]}) => first?.id ?? ''))
  }
  expect(got).toEqual(['c1', 'c1', 'c3', 'c2'])
  expect(lab.calls.map(({upstream}) => upstream?.code)).toEqual([undefined, 'OK', undefined, 'OK'])
})

test('stale: a stream has no last answer, and passes', async () => {
  const lab = proxied({rules: [rule('GetContainerEvents', {kind: 'stale'})], serve: everySecond})
  await send(lab.connect(), events)
  await lab.run(10_000)
  expect(lab.calls).toMatchObject([{code: 'OK', skipped: 'the answer is a stream'}])
})

test('throttle: the answer’s bytes come at their pace', async () => {
  const lab = proxied({
    rules: [rule('ListContainers', {kind: 'throttle', bytesPerSecond: 1000})],
    serve: (call) => answerWith(call, framed(new Uint8Array(2495))),
  })
  const stream = await send(lab.connect(), list)
  let bytes = 0
  const reading = (async () => {
    for await (const piece of stream) bytes += piece.length
  })()
  await lab.run(1000)
  expect(bytes).toBe(1000)
  await lab.run(3000)
  await reading
  expect(bytes).toBe(2500)
  expect(lab.calls).toMatchObject([{durationMs: 2500, responseBytes: 2500}])
})

test('replace by a response: data becomes a message of the method', async () => {
  const reply: Reply = {kind: 'replace', with: {response: {containers: [{id: 'ghost', state: 'CONTAINER_RUNNING'}]}}}
  const lab = proxied({rules: [rule('ListContainers', reply, {forward: 0})], serve: (call) => answerWith(call, framed(listed('a')))})
  const stream = await send(lab.connect(), list)
  await lab.run(0)
  expect(messagesIn(ListContainersResponseSchema, (await answerOf(stream)).body)).toMatchObject([{containers: [{id: 'ghost', state: 1}]}])
  expect(lab.seen).toEqual([])
})

test('replace by a response that does not fit: the call passes, and the trace says why', async () => {
  const reply: Reply = {kind: 'replace', with: {response: {containers: [{id: 7}]}}}
  const lab = proxied({rules: [rule('ListContainers*', reply, {forward: 0})], serve: (call) => answerWith(call, framed(listed('a')))})
  const stream = await send(lab.connect(), list)
  await lab.run(0)
  expect((await answerOf(stream)).body).toEqual(framed(listed('a')))
  expect(lab.calls[0]?.skipped).toMatch(/^the rule's response is no ListContainersResponse: /)
})
