import {expect, test} from 'vitest'
import {delay} from '../../../../src/faults/delay.ts'
import {duplicate} from '../../../../src/faults/duplicate.ts'
import {execThenError} from '../../../../src/faults/exec-then-error.ts'
import {fail} from '../../../../src/faults/fail.ts'
import {asIfDone} from '../../../../src/faults/fake-success.ts'
import type {Fault} from '../../../../src/faults/fault.ts'
import {hang} from '../../../../src/faults/hang.ts'
import {hold} from '../../../../src/faults/hold.ts'
import {loseReply} from '../../../../src/faults/lose-reply.ts'
import {reorder} from '../../../../src/faults/reorder.ts'
import {reset} from '../../../../src/faults/reset.ts'
import type {Match, Rule} from '../../../../src/faults/rule.ts'
import {errorCodes} from '../../../../src/http2/fault.ts'
import {fieldValue} from '../../../../src/http2/header-field.ts'
import {NodeStageVolumeRequestSchema, NodeStageVolumeResponseSchema} from '../../../../src/wire/gen/csi_pb.ts'
import {answerOf, answerWith, framed, messageOf, proxied, refuseWith, send, statusOf} from '../../../support/proxied-calls.ts'

const path = '/csi.v1.Node/NodeStageVolume'
const rule = (fault: Fault, match: Match = {method: 'NodeStageVolume', request: {volumeId: 'v1'}}): Rule => ({name: 'r', match, fault})
const body = messageOf(NodeStageVolumeRequestSchema, {volumeId: 'v1', stagingTargetPath: '/s'})
const deadline = [{name: 'grpc-timeout', value: '119994m'}]
const staged = messageOf(NodeStageVolumeResponseSchema, {})

test('fail: the server never hears of it, and the client has the status at once, as trailers-only', async () => {
  const lab = proxied({
    rules: [rule(fail('INTERNAL', 'größer, 100%', [{type: 'google.rpc.ErrorInfo', value: 'CgFh'}]))],
    serve: (call) => answerWith(call, staged),
  })
  const stream = await send(lab.connect(), path, {body, fields: deadline})
  await lab.run(0)
  const answer = await answerOf(stream)
  expect(answer.trailers).toBeUndefined()
  expect(statusOf(answer)).toEqual({code: 13, message: 'gr%C3%B6%C3%9Fer, 100%25'})
  expect(Buffer.from(fieldValue(answer.first, 'grpc-status-details-bin') ?? '', 'base64').toString('latin1')).toBe(
    `\b\r\x12\x0egr\xc3\xb6\xc3\x9fer, 100%\x1a/\n(type.googleapis.com/google.rpc.ErrorInfo\x12\x03\n\x01a`,
  )
  expect(lab.seen).toEqual([])
  expect(lab.calls).toMatchObject([
    {
      id: 1,
      connection: 1,
      service: 'csi.v1.Node',
      method: 'NodeStageVolume',
      timeoutMs: 119_994,
      durationMs: 0,
      code: 'INTERNAL',
      message: 'größer, 100%',
      rule: 'r',
      fault: 'fail',
      class: 'final',
      volume: 'v1',
      request: {volumeId: 'v1', stagingTargetPath: '/s'},
      requestBytes: body.length,
      responseBytes: 0,
    },
  ])
  expect(lab.calls[0]).not.toHaveProperty('owed')
})

test('delay: the server hears of it later, with the deadline that the client said', async () => {
  const lab = proxied({rules: [rule(delay(700))], serve: (call) => answerWith(call, staged)})
  const stream = await send(lab.connect(), path, {body, fields: deadline})
  await lab.run(1000)
  expect(statusOf(await answerOf(stream)).code).toBe(0)
  expect(lab.seen).toMatchObject([{at: 700, path}])
  expect(fieldValue(lab.seen[0]?.fields ?? [], 'grpc-timeout')).toBe('119994m')
  expect(lab.calls).toMatchObject([{durationMs: 700, code: 'OK', owed: 'NodeUnstageVolume'}])
  expect(lab.calls[0]).not.toHaveProperty('upstream')
})

test('delay: a client that leaves meanwhile has taken the call back', async () => {
  const lab = proxied({rules: [rule(delay(700))], serve: (call) => answerWith(call, staged)})
  const stream = await send(lab.connect(), path, {body})
  await lab.run(300)
  stream.reset(errorCodes.CANCEL)
  await lab.run(1000)
  expect(lab.seen).toEqual([])
  expect(lab.calls).toMatchObject([{code: 'CANCELLED', durationMs: 300}])
})

test.for([
  ['300m', 'DEADLINE_EXCEEDED'],
  ['900m', 'CANCELLED'],
])('hang: nothing goes up, and the client that leaves after 300 ms of %s has %s', async ([timeout = '', code = '']) => {
  const lab = proxied({rules: [rule(hang())], serve: (call) => answerWith(call, staged)})
  const stream = await send(lab.connect(), path, {body, fields: [{name: 'grpc-timeout', value: timeout}]})
  await lab.run(300)
  stream.reset(errorCodes.CANCEL)
  await lab.run(1000)
  expect(lab.seen).toEqual([])
  expect(lab.calls).toMatchObject([{code, class: 'uncertain', durationMs: 300, fault: 'hang'}])
  expect(lab.calls[0]).not.toHaveProperty('owed')
})

test('lose-reply: the server does it without a deadline and whatever the client does, and what it did is told later', async () => {
  const lab = proxied({
    rules: [rule(loseReply())],
    serve: async (call, clock) => {
      await clock.sleep(5000)
      await answerWith(call, staged)
    },
  })
  const client = lab.connect()
  const stream = await send(client, path, {body, fields: [{name: 'grpc-timeout', value: '2S'}]})
  await lab.run(2000)
  stream.reset(errorCodes.CANCEL)
  await lab.run(3000)
  expect(lab.calls).toMatchObject([{id: 1, code: 'DEADLINE_EXCEEDED', class: 'uncertain', owed: 'NodeUnstageVolume'}])
  expect(lab.calls[0]).not.toHaveProperty('upstream')
  await lab.run(6000)
  expect(lab.seen).toMatchObject([{reset: undefined}])
  expect(lab.seen[0]?.body).toEqual(body)
  expect(fieldValue(lab.seen[0]?.fields ?? [], 'grpc-timeout')).toBeUndefined()
  expect(lab.calls).toHaveLength(2)
  expect(lab.calls[1]).toMatchObject({
    id: 1,
    update: true,
    code: 'DEADLINE_EXCEEDED',
    durationMs: 2000,
    upstream: {code: 'OK', durationMs: 5000, late: true},
  })
})

test('lose-reply: the server is not disturbed when the client’s connection ends', async () => {
  const lab = proxied({
    rules: [rule(loseReply())],
    serve: async (call, clock) => {
      await clock.sleep(5000)
      await answerWith(call, staged)
    },
  })
  const client = lab.connect()
  await send(client, path, {body})
  await lab.run(1000)
  client.destroy()
  await lab.run(6000)
  expect(lab.seen).toMatchObject([{reset: undefined}])
  expect(lab.calls).toMatchObject([{code: 'CANCELLED'}, {update: true, upstream: {code: 'OK', late: true}}])
})

test('hold: the answer is kept back, and the server’s end is told as it was when the client leaves before', async () => {
  const lab = proxied({rules: [rule(hold(3000))], serve: (call) => answerWith(call, staged)})
  const client = lab.connect()
  const patient = await send(client, path, {body})
  const hasty = await send(client, path, {body})
  await lab.run(1000)
  hasty.reset(errorCodes.CANCEL)
  await lab.run(4000)
  expect(statusOf(await answerOf(patient)).code).toBe(0)
  expect(lab.calls).toMatchObject([
    {id: 2, code: 'CANCELLED', durationMs: 1000, upstream: {code: 'OK', durationMs: 0, late: false}, owed: 'NodeUnstageVolume'},
    {id: 1, code: 'OK', durationMs: 3000},
  ])
  expect(lab.calls[1]).not.toHaveProperty('upstream')
})

test('exec-then-error: the server does it and the client has the error', async () => {
  const lab = proxied({rules: [rule(execThenError('ABORTED'))], serve: (call) => answerWith(call, staged)})
  const stream = await send(lab.connect(), path, {body, fields: deadline})
  await lab.run(0)
  expect(statusOf(await answerOf(stream))).toEqual({code: 10, message: 'injected'})
  expect(lab.seen).toHaveLength(1)
  expect(lab.calls).toMatchObject([{code: 'ABORTED', class: 'uncertain', upstream: {code: 'OK', late: false}, owed: 'NodeUnstageVolume'}])
})

test('exec-then-error: what the server refused is owed nothing', async () => {
  const lab = proxied({rules: [rule(execThenError('ABORTED'))], serve: (call) => refuseWith(call, 'INVALID_ARGUMENT')})
  await send(lab.connect(), path, {body})
  await lab.run(0)
  expect(lab.calls).toMatchObject([{code: 'ABORTED', upstream: {code: 'INVALID_ARGUMENT'}}])
  expect(lab.calls[0]).not.toHaveProperty('owed')
})

test('fake-success as if done: an empty message where the answer is empty', async () => {
  const lab = proxied({rules: [rule(asIfDone())], serve: (call) => answerWith(call, staged)})
  const stream = await send(lab.connect(), path, {body})
  await lab.run(0)
  const answer = await answerOf(stream)
  expect(answer.body).toEqual(framed(new Uint8Array(0)))
  expect(statusOf(answer).code).toBe(0)
  expect(lab.seen).toEqual([])
})

test('fake-success as if done: where only the server could make the answer, the call passes and says why', async () => {
  const run = '/runtime.v1.RuntimeService/RunPodSandbox'
  const lab = proxied({rules: [rule(asIfDone(), {method: 'RunPodSandbox*'})], serve: (call) => answerWith(call, framed(new Uint8Array(0)))})
  await send(lab.connect(), run)
  await lab.run(0)
  expect(lab.seen).toHaveLength(1)
  expect(lab.calls).toMatchObject([
    {
      code: 'OK',
      rule: 'r',
      skipped: 'what the server would answer is not known: RunPodSandboxResponse has podSandboxId',
      owed: 'StopPodSandbox',
    },
  ])
})

test('reset of a stream: it alone ends, with INTERNAL_ERROR, when the server has done it', async () => {
  const fault = {...reset(), plan: {...reset().plan, reply: {kind: 'reset', scope: 'stream'} as const}}
  const lab = proxied({rules: [rule(fault)], serve: (call) => answerWith(call, staged)})
  const client = lab.connect()
  const stream = await send(client, path, {body})
  const other = await send(client, path, {body: messageOf(NodeStageVolumeRequestSchema, {volumeId: 'v2'})})
  stream.response.catch(() => undefined)
  await lab.run(0)
  expect(stream.failure).toMatchObject({code: errorCodes.INTERNAL_ERROR, by: 'peer'})
  expect(statusOf(await answerOf(other)).code).toBe(0)
  expect(lab.calls.find(({id}) => id === 1)).toMatchObject({code: 'INTERNAL', upstream: {code: 'OK'}, owed: 'NodeUnstageVolume'})
})

test('reset of a connection: it breaks with all its calls', async () => {
  const lab = proxied({rules: [rule(reset())], serve: (call) => answerWith(call, staged)})
  const client = lab.connect()
  const stream = await send(client, path, {body})
  await lab.run(0)
  expect(await client.ended).toMatchObject({by: 'peer'})
  expect(stream.failure).toMatchObject({by: 'connection'})
  expect(lab.calls).toMatchObject([{code: 'UNAVAILABLE', upstream: {code: 'OK', late: false}}])
})

test('reset of a connection: not when the call’s client has left before', async () => {
  const lab = proxied({
    rules: [rule(reset())],
    serve: async (call, clock) => {
      await clock.sleep(1000)
      await answerWith(call, staged)
    },
  })
  const client = lab.connect()
  const stream = await send(client, path, {body})
  await lab.run(500)
  stream.reset(errorCodes.CANCEL)
  const other = await send(client, path, {body: messageOf(NodeStageVolumeRequestSchema, {volumeId: 'v2'})})
  await lab.run(3000)
  expect(statusOf(await answerOf(other)).code).toBe(0)
  expect(lab.calls[0]).toMatchObject({id: 1, code: 'CANCELLED'})
})

test('duplicate: the server gets it twice, over two connections, and the trace has both', async () => {
  let count = 0
  const lab = proxied({
    rules: [rule(duplicate())],
    serve: (call) => (++count === 1 ? answerWith(call, staged) : refuseWith(call, 'ALREADY_EXISTS')),
  })
  const stream = await send(lab.connect(), path, {body})
  await lab.run(0)
  const {code} = statusOf(await answerOf(stream))
  expect(lab.seen).toHaveLength(2)
  for (const call of lab.seen) expect(call.body).toEqual(body)
  const last = lab.calls.at(-1)
  expect([code, last?.duplicate?.code].toSorted()).toEqual(code === 0 ? [0, 'ALREADY_EXISTS'] : [6, 'OK'])
})

test('reorder: the first answer waits for the second, also from another connection', async () => {
  const lab = proxied({rules: [rule(reorder())], serve: (call) => answerWith(call, staged)})
  const first = await send(lab.connect(), path, {body})
  await lab.run(1000)
  expect(lab.seen).toHaveLength(1)
  expect(lab.calls).toEqual([])
  const second = await send(lab.connect(), path, {body})
  await lab.run(2000)
  expect(statusOf(await answerOf(first)).code).toBe(0)
  expect(statusOf(await answerOf(second)).code).toBe(0)
  expect(lab.calls.map(({id, durationMs}) => [id, durationMs])).toEqual([
    [2, 0],
    [1, 1000],
  ])
})

test('reorder: who waits for a rule that is taken away waits no longer', async () => {
  const lab = proxied({rules: [rule(reorder())], serve: (call) => answerWith(call, staged)})
  const first = await send(lab.connect(), path, {body})
  await lab.run(1000)
  lab.book.remove('r')
  await lab.run(2000)
  expect(statusOf(await answerOf(first)).code).toBe(0)
})

test('one connection: call 1 is held, call 2 passes, and call 1 is answered after it', async () => {
  const lab = proxied({
    rules: [rule({kind: 'delay', plan: {...delay(5000).plan, reply: {kind: 'hold', ms: 5000}}})],
    serve: (call) => answerWith(call, staged),
  })
  const client = lab.connect()
  const held = await send(client, path, {body})
  const passing = await send(client, path, {body: messageOf(NodeStageVolumeRequestSchema, {volumeId: 'v2'})})
  await lab.run(20_000)
  expect(statusOf(await answerOf(passing)).code).toBe(0)
  expect(statusOf(await answerOf(held)).code).toBe(0)
  expect(lab.calls.map(({id, durationMs}) => [id, durationMs])).toEqual([
    [2, 0],
    [1, 10_000],
  ])
})

test('what outlives its client ends with the proxy', async () => {
  const lab = proxied({rules: [rule(loseReply())], serve: () => undefined})
  const stream = await send(lab.connect(), path, {body})
  await lab.run(10)
  stream.reset(errorCodes.CANCEL)
  await lab.run(20)
  expect(lab.seen).toMatchObject([{reset: undefined}])
  lab.end()
  await lab.run(30)
  expect(lab.seen).toMatchObject([{reset: errorCodes.CANCEL}])
  expect(lab.calls).toHaveLength(1)
})

test.for([
  ['kept back', {kind: 'hold', ms: 3000}, 3200],
  ['at a pace', {kind: 'throttle', bytesPerSecond: 100}, 2200],
] as const)('the server’s part of an answer that comes %s is what it took itself', async ([, reply, durationMs]) => {
  const lab = proxied({
    rules: [rule({kind: reply.kind, plan: {before: 0, forward: 1, upstreamDeadline: 'keep', reply}})],
    serve: async (call, clock) => {
      await clock.sleep(200)
      await answerWith(call, framed(new Uint8Array(195)))
    },
  })
  await send(lab.connect(), path, {body})
  await lab.run(10_000)
  expect(lab.calls).toMatchObject([{code: 'OK', durationMs, serverMs: 200}])
})
