// Orders of events that no well-meaning peer brings about.
import {setImmediate} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {duplicate} from '../../../src/faults/duplicate.ts'
import {execThenError} from '../../../src/faults/exec-then-error.ts'
import {fail} from '../../../src/faults/fail.ts'
import {loseReply} from '../../../src/faults/lose-reply.ts'
import {reorder} from '../../../src/faults/reorder.ts'
import type {Rule} from '../../../src/faults/rule.ts'
import {streamCut} from '../../../src/faults/stream-cut.ts'
import {throttle} from '../../../src/faults/throttle.ts'
import {type ClientConnection, openConnection} from '../../../src/http2/client-connection.ts'
import {errorCodes} from '../../../src/http2/fault.ts'
import {clientPreface} from '../../../src/http2/preface.ts'
import {serveConnection} from '../../../src/http2/server-connection.ts'
import {NodeStageVolumeRequestSchema} from '../../../src/wire/gen/csi_pb.ts'
import {emptySettings} from '../../support/http2-raw-peer.ts'
import {memoryPair} from '../../support/memory-pair.ts'
import {answerOf, answerWith, fieldsFor, framed, messageOf, proxied, refuseWith, send, statusOf} from '../../support/proxied-calls.ts'
import {rawCalls} from '../../support/raw-calls.ts'
import {ack, data, goaway, said, settings, status, trailers} from '../../support/relay-frames.ts'

const stage = '/csi.v1.Node/NodeStageVolume'
const body = messageOf(NodeStageVolumeRequestSchema, {volumeId: 'v1'})
const rule = (fault: Rule['fault'], more: Partial<Rule> = {}): Rule => ({name: 'r', match: {method: 'NodeStageVolume'}, fault, ...more})

describe('every call has one event, and no rule has counted one that is none:', () => {
  test('one more than the server takes is refused before anybody is asked', async () => {
    const {client, server, book, calls, settled} = await rawCalls([rule(loseReply(), {limit: 2})])
    server.send(settings([3, 1]))
    await settled()
    client.send(ack, client.open(1, {fields: fieldsFor(stage), endStream: false}), client.open(3, {fields: fieldsFor(stage)}))
    await settled()
    expect(said(client)).toContainEqual({type: 'RST_STREAM', streamId: 3, code: errorCodes.REFUSED_STREAM})
    expect(book.list()).toMatchObject([{seen: 1, taken: 1}])
    client.send({type: 'RST_STREAM', streamId: 1, code: errorCodes.CANCEL})
    await settled()
    expect(calls).toMatchObject([{id: 1, code: 'CANCELLED', rule: 'r', fault: 'lose-reply'}])
  })

  test('one that has no body and says that it has one goes to the server, who refuses it', async () => {
    const {client, server, book, calls, settled} = await rawCalls([rule(fail('INTERNAL'))])
    client.send(client.open(1, {fields: fieldsFor(stage, [{name: 'content-length', value: '7'}])}))
    await settled()
    expect(said(server)).toMatchObject([{type: 'HEADERS', streamId: 1}])
    expect([book.list()[0]?.seen, calls]).toEqual([0, []])
  })

  test.each(['reset', 'leave'])('one whose server has never greeted, when its client %ss', async (how) => {
    const {client, calls, pair, server, settled} = await rawCalls([rule(fail('INTERNAL'))], {greets: false})
    client.send(clientPreface, emptySettings, client.open(1, {fields: fieldsFor(stage), endStream: false}))
    await settled()
    expect(calls).toEqual([])
    if (how === 'reset') client.send({type: 'RST_STREAM', streamId: 1, code: errorCodes.CANCEL})
    else client.socket.end()
    await settled()
    expect(calls).toMatchObject([{id: 1, code: how === 'reset' ? 'CANCELLED' : 'UNAVAILABLE', rule: 'r', fault: 'fail'}])
    server.send(emptySettings)
    await settled()
    expect([calls.length, pair.active]).toEqual([1, 0])
  })
})

test('a path of any length is no burden: what is told of it is short', async () => {
  const {client, server, calls, settled} = await rawCalls([rule(fail('INTERNAL'))])
  client.send(client.open(1, {fields: fieldsFor(`/${'s'.repeat(5000)}/${'m'.repeat(5000)}`)}))
  await settled()
  server.send(server.open(1, {fields: [...status, ...trailers]}))
  await settled()
  expect(calls).toMatchObject([{service: 's'.repeat(500), method: 'm'.repeat(500), code: 'OK'}])
})

test('a server that leaves takes the client along only when the client has all that was said before, whoever else waits', async () => {
  const {client, server, calls, settled} = await rawCalls([rule(throttle(10))])
  client.send(client.open(1, {fields: fieldsFor(stage)}), client.open(3))
  await settled()
  // The one that passes went up first.
  server.send(server.open(1, {fields: status, endStream: false}), ...Array.from({length: 20}, () => data(1, 'x'.repeat(10_000))))
  server.send(server.open(1, {fields: trailers}))
  server.socket.end()
  await settled()
  expect(client.closed).toBe(false)
  client.send({type: 'WINDOW_UPDATE', streamId: 0, increment: 1_000_000})
  await settled()
  const came = said(client).reduce((sum, frame) => sum + (frame.type === 'DATA' ? frame.data.length : 0), 0)
  expect([came, client.closed]).toEqual([200_000, true])
  client.socket.end()
  await settled()
  expect(calls.filter(({fault}) => fault !== undefined)).toMatchObject([{code: 'UNAVAILABLE', fault: 'throttle'}])
})

test.each(['reset', 'leave'])(
  'a call that the server has no room for is taken back when its client %ss, whatever it would outlive',
  async (how) => {
    const {client, server, calls, pair, settled} = await rawCalls([rule(loseReply())])
    server.send(settings([3, 0]))
    await settled()
    client.send(client.open(1, {fields: fieldsFor(stage), endStream: false}), {type: 'DATA', streamId: 1, endStream: true, data: body})
    await settled()
    if (how === 'reset') client.send({type: 'RST_STREAM', streamId: 1, code: errorCodes.CANCEL})
    else client.socket.end()
    await settled()
    server.send(settings([3, 1]))
    await settled()
    expect([said(server), pair.active, server.closed]).toEqual([[], 0, how === 'leave'])
    expect(calls).toMatchObject([{fault: 'lose-reply', code: how === 'leave' ? 'UNAVAILABLE' : 'CANCELLED'}])
  },
)

describe('duplicate:', () => {
  test('of a method that is not known both get the request as it comes, as the client may wait for an answer before it goes on', async () => {
    const lab = proxied({rules: [{name: 'r', match: {method: 'Talk'}, fault: duplicate()}], serve: ({stream}) => stream.end(trailers)})
    const stream = await lab.connect().request(fieldsFor('/a.B/Talk'))
    void stream.write(framed(Buffer.from('hello')))
    await lab.run(0)
    expect(lab.seen).toHaveLength(2)
    for (const seen of lab.seen) seen.stream.sendHeaders(status)
    await lab.run(10)
    expect(await stream.response).toMatchObject(status)
    stream.end()
    await lab.run(20)
    expect(lab.seen.map((seen) => `${Buffer.from(seen.body).subarray(5)}`)).toEqual(['hello', 'hello'])
    expect(lab.calls).toMatchObject([{code: 'OK', duplicate: {code: 'OK'}}])
  })

  test('its connection ends when the client leaves before the call itself goes up', async () => {
    const dialed = Promise.withResolvers<ClientConnection>()
    const {client, calls, settled} = await rawCalls([{name: 'r', match: {method: 'Talk'}, fault: duplicate()}], {
      dial: () => dialed.promise,
    })
    client.send(client.open(1, {fields: fieldsFor('/a.B/Talk'), endStream: false}))
    await settled()
    client.send({type: 'RST_STREAM', streamId: 1, code: errorCodes.CANCEL})
    await settled()
    const [ours, theirs] = memoryPair()
    const server = serveConnection(theirs, {onStream: () => undefined})
    dialed.resolve(openConnection(ours))
    await settled()
    expect(await Promise.race([server.ended.then(() => 'ended'), setImmediate('open')])).toBe('ended')
    expect(calls).toHaveLength(1)
  })
})

describe('reorder: a call waits for no next one', () => {
  const answering = () => proxied({rules: [rule(reorder())], serve: (call) => answerWith(call)})

  test('when its rule went while its request came', async () => {
    const lab = answering()
    const stream = await lab.connect().request(fieldsFor(stage))
    await lab.run(0)
    lab.book.remove('r')
    void stream.write(body)
    stream.end()
    await lab.run(10)
    expect(statusOf(await answerOf(stream)).code).toBe(0)
  })

  test('when rules are paused', async () => {
    const lab = answering()
    const stream = await send(lab.connect(), stage, {body})
    await lab.run(10)
    expect([lab.calls, stream.state]).toEqual([[], 'half-closed-local'])
    lab.book.pause(true)
    await lab.run(20)
    expect(statusOf(await answerOf(stream)).code).toBe(0)
  })
})

test('secrets of a request are in no event, whatever becomes of it', async () => {
  const secret = 'zkUd-93jf-marker'
  const secretive = messageOf(NodeStageVolumeRequestSchema, {volumeId: 'v1', secrets: {token: secret}, stagingTargetPath: '/s'})
  const told: unknown[] = []
  for (const fault of [fail('INTERNAL'), duplicate(), reorder(), loseReply()]) {
    const lab = proxied({
      rules: [rule(fault, {match: {request: {volumeId: 'v1'}}})],
      serve: (call) => refuseWith(call, 'INTERNAL', `token=${secret}`),
    })
    const client = lab.connect()
    for (const sent of [secretive, framed(secretive.subarray(5, -3)), framed(secretive.subarray(5), true)])
      await send(client, stage, {body: sent})
    await lab.run(1000)
    client.destroy()
    await lab.run(2000)
    expect(lab.calls.filter(({update}) => !update)).toHaveLength(3)
    told.push(lab.calls, lab.book.list())
  }
  expect(JSON.stringify(told)).not.toContain(secret)
})

describe('exec-then-error: nobody says that the server has done it', () => {
  const held = async () => {
    const proxied = await rawCalls([rule(execThenError('INTERNAL'))])
    const {client, server, settled} = proxied
    client.send(client.open(1, {fields: fieldsFor(stage)}), client.open(3))
    await settled()
    // It keeps the client's connection for a while: there is no room for all of it.
    server.send(server.open(1, {fields: status, endStream: false}), ...Array.from({length: 10}, () => data(1, 'x'.repeat(10_000))))
    return proxied
  }

  test('when its connection breaks', async () => {
    const {client, server, calls, settled} = await held()
    server.socket.end()
    await settled()
    expect(said(client).filter(({type}) => type !== 'DATA')).toMatchObject([{type: 'HEADERS', streamId: 3}])
    client.socket.end()
    await settled()
    expect(calls.at(-1)).toMatchObject({code: 'UNAVAILABLE', fault: 'exec-then-error', owed: 'NodeUnstageVolume'})
  })

  test('when it has not begun with it and goes away', async () => {
    const {client, server, calls, settled} = await held()
    server.send(goaway(1))
    await settled()
    expect(said(client)).toContainEqual({type: 'RST_STREAM', streamId: 1, code: errorCodes.REFUSED_STREAM})
    expect(calls).toMatchObject([{code: 'UNAVAILABLE', fault: 'exec-then-error'}])
  })
})

test('cut: an answer that says its length is cut all the same', async () => {
  const lab = proxied({
    rules: [{name: 'r', match: {method: 'Talk'}, fault: streamCut(1, 'ABORTED')}],
    serve: ({stream}) => {
      stream.sendHeaders([...status, {name: 'content-length', value: '16'}])
      for (let count = 0; count < 2; count++) void stream.write(framed(Buffer.from('abc')))
      stream.end()
    },
  })
  const stream = await send(lab.connect(), '/a.B/Talk')
  await lab.run(0)
  const answer = await answerOf(stream)
  expect(answer.first).toEqual(status)
  expect([answer.body.length, statusOf(answer).code]).toEqual([8, 10])
})
