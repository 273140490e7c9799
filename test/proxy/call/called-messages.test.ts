// What onMessages is told of a call, on passed and taken calls.
import {gzipSync} from 'node:zlib'
import {create, toBinary} from '@bufbuild/protobuf'
import {expect, test} from 'vitest'
import {fail} from '../../../src/faults/fail.ts'
import {listEdit} from '../../../src/faults/list-edit.ts'
import type {Rule} from '../../../src/faults/rule.ts'
import {errorCodes} from '../../../src/http2/fault.ts'
import type {HeaderField} from '../../../src/http2/header-field.ts'
import type {CalledMessages} from '../../../src/proxy/call/called-messages.ts'
import {type KeptLimits, usualKeptLimits} from '../../../src/proxy/call/message/kept-body.ts'
import {statusFields} from '../../../src/proxy/call/message/status-fields.ts'
import {
  ContainerEventResponseSchema,
  ContainerEventType,
  ListContainersRequestSchema,
  ListContainersResponseSchema,
} from '../../../src/wire/gen/cri_pb.ts'
import {NodeStageVolumeRequestSchema} from '../../../src/wire/gen/csi_pb.ts'
import {answerOf, answerWith, fieldsFor, framed, messageOf, proxied, refuseWith, type SeenCall, send} from '../../support/proxied-calls.ts'

const list = '/runtime.v1.RuntimeService/ListContainers'
const events = '/runtime.v1.RuntimeService/GetContainerEvents'
const stage = '/csi.v1.Node/NodeStageVolume'

const request = messageOf(ListContainersRequestSchema, {filter: {id: 'c1'}})
const answer = messageOf(ListContainersResponseSchema, {containers: [{id: 'c1'}]})
const event = (id: string) =>
  messageOf(ContainerEventResponseSchema, {containerId: id, containerEventType: ContainerEventType.CONTAINER_STARTED_EVENT})

/** The words of one that is told. */
const brief = ({call: {method, code, rule}, request: asked, responses, unkept}: CalledMessages) => ({
  method,
  code,
  ...(rule === undefined ? {} : {rule}),
  asked: asked !== undefined,
  answers: responses.length,
  ...(unkept === undefined ? {} : {unkept}),
})

const gzipHead: readonly HeaderField[] = [
  {name: ':status', value: '200'},
  {name: 'content-type', value: 'application/grpc'},
  {name: 'grpc-encoding', value: 'gzip'},
]

async function told(
  path: string,
  serve: (call: SeenCall) => void | Promise<void>,
  {body = request, rules = [], limits = {}}: {body?: Uint8Array; rules?: readonly Rule[]; limits?: Partial<KeptLimits>} = {},
) {
  const lab = proxied({serve, rules, limits: {...usualKeptLimits, ...limits}})
  const stream = await send(lab.connect(), path, {body})
  const got = answerOf(stream).catch(() => undefined)
  await lab.run(1000)
  await got
  expect(lab.held.bytes).toBe(0)
  return lab.told
}

test('onMessages: a call that passes, with what it asked and got', async () => {
  const [one, ...rest] = await told(list, (call) => answerWith(call, answer))
  expect(rest).toEqual([])
  expect(one).toMatchObject({
    call: {id: 1, method: 'ListContainers', code: 'OK', requestBytes: request.length, responseBytes: answer.length},
    known: {called: {method: 'ListContainers'}},
    request: create(ListContainersRequestSchema, {filter: {id: 'c1'}}),
    responses: [create(ListContainersResponseSchema, {containers: [{id: 'c1'}]})],
  })
})

const message = messageOf(NodeStageVolumeRequestSchema, {volumeId: 'vol-1'})

test('onMessages: an error has its code and message, and a taken call what the client got, not what the server said', async () => {
  expect(await told(stage, (call) => refuseWith(call, 'NOT_FOUND', 'no such volume'), {body: message})).toMatchObject([
    {call: {code: 'NOT_FOUND', message: 'no such volume'}, request: {volumeId: 'vol-1'}, responses: []},
  ])
  const rules: readonly Rule[] = [{name: 'r', match: {method: 'ListContainers'}, fault: fail('UNAVAILABLE')}]
  expect((await told(list, (call) => answerWith(call, answer), {rules})).map(brief)).toEqual([
    {method: 'ListContainers', code: 'UNAVAILABLE', rule: 'r', asked: true, answers: 0},
  ])
})

test('onMessages: an answer that a rule edited is kept as the client got it', async () => {
  const rules: readonly Rule[] = [{name: 'r', match: {method: 'ListContainers'}, fault: listEdit('containers', {drop: {}})}]
  expect(await told(list, (call) => answerWith(call, answer), {rules})).toMatchObject([
    {call: {code: 'OK', rule: 'r'}, responses: [{containers: []}]},
  ])
})

test('onMessages: what is compressed with gzip is read, of what has another compression it says so', async () => {
  const zipped = framed(
    gzipSync(toBinary(ListContainersResponseSchema, create(ListContainersResponseSchema, {containers: [{id: 'z'}]}))),
    true,
  )
  const withEncoding =
    (encoding: string) =>
    async ({stream}: SeenCall) => {
      stream.sendHeaders(gzipHead.map((field) => (field.name === 'grpc-encoding' ? {...field, value: encoding} : field)))
      await stream.write(zipped)
      stream.end(statusFields({code: 'OK', message: ''}))
    }
  expect((await told(list, withEncoding('gzip')))[0]?.responses).toMatchObject([{containers: [{id: 'z'}]}])
  expect((await told(list, withEncoding('zstd'))).map(brief)).toMatchObject([
    {asked: true, answers: 0, unkept: 'the answer cannot be read: it is compressed with zstd, which is not known'},
  ])
})

test('onMessages: a method that is not known, and a request that is none of its method', async () => {
  expect((await told('/other.Service/Call', (call) => answerWith(call, answer))).map(brief)).toEqual([
    {method: 'Call', code: 'OK', asked: false, answers: 0, unkept: 'the method is not known'},
  ])
  expect((await told(list, (call) => answerWith(call, answer), {body: framed(new Uint8Array([0xff]))})).map(brief)).toMatchObject([
    {asked: false, answers: 1, unkept: 'the request cannot be read: it is no ListContainersRequest'},
  ])
})

test.each([
  [
    'a body that is too large',
    {body: 15},
    {asked: true, answers: 1, unkept: expect.stringMatching(/^the answer has more than [\d.]+e?-?\d* MiB$/)},
  ],
  ['too many messages', {messages: 2}, {asked: true, answers: 2, unkept: 'the answer has more than 2 messages'}],
  ['too much in all', {all: 15}, {asked: true, answers: 1, unkept: 'other calls have taken what memory there is for the answer'}],
])('onMessages: of a stream with %s the first messages are kept', async (_name, limits, expected) => {
  const serve = (call: SeenCall) => answerWith(call, event('a'), event('b'), event('c'))
  expect((await told(events, serve, {body: framed(new Uint8Array(0)), limits})).map(brief)).toMatchObject([expected])
})

test('onMessages: a stream whose client leaves has the messages that it got, and calls come as they end', async () => {
  const lab = proxied({
    serve: async (call) => {
      if (call.path !== events) return answerWith(call, answer)
      call.stream.sendHeaders(gzipHead.slice(0, 2))
      await call.stream.write(event('a'))
    },
    limits: usualKeptLimits,
    traced: false,
  })
  const client = lab.connect()
  const stream = await client.request(fieldsFor(events))
  stream.write(framed(new Uint8Array(0))).catch(() => undefined)
  stream.end()
  await lab.run(10)
  await send(client, list, {body: request})
  await lab.run(20)
  stream.reset(errorCodes.CANCEL)
  await lab.run(30)
  expect(lab.told.map(brief)).toEqual([
    {method: 'ListContainers', code: 'OK', asked: true, answers: 1},
    {method: 'GetContainerEvents', code: 'CANCELLED', asked: true, answers: 1},
  ])
  expect(lab.held.bytes).toBe(0)
})
