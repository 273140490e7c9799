import {gzipSync} from 'node:zlib'
import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {fail} from '../../../src/faults/fail.ts'
import {hang} from '../../../src/faults/hang.ts'
import type {Rule} from '../../../src/faults/rule.ts'
import {errorCodes} from '../../../src/http2/fault.ts'
import type {HeaderField} from '../../../src/http2/header-field.ts'
import {statusFields} from '../../../src/proxy/call/message/status-fields.ts'
import {NodeStageVolumeRequestSchema} from '../../../src/wire/gen/csi_pb.ts'
import {answerOf, answerWith, fieldsFor, framed, messageOf, proxied, refuseWith, send, statusOf} from '../../support/proxied-calls.ts'

const path = '/csi.v1.Node/NodeStageVolume'
/** It must see each request, and takes none. */
const noMatch: Rule = {name: 'never', match: {request: {volumeId: 'nobody'}}, fault: hang()}
const ofVolume = (volumeId: string): Rule => ({name: volumeId, match: {request: {volumeId}}, fault: fail('INTERNAL')})
const body = messageOf(NodeStageVolumeRequestSchema, {volumeId: 'v1'})

/** Of what the relay itself changes nothing counts: it says 'localhost' upstream. */
const withoutAuthority = (fields: readonly HeaderField[]) => fields.filter(({name}) => name !== ':authority')

describe('takeCall() lets a call pass that no rule takes:', () => {
  const metadata = fc.array(fc.record({name: fc.stringMatching(/^x-[a-z0-9]{1,8}(-bin)?$/), value: fc.stringMatching(/^[!-~]{0,20}$/)}), {
    maxLength: 5,
  })
  const message = fc.uint8Array({maxLength: 300})

  test('metadata, messages, compression flags and trailers are the same on both sides', async () => {
    await fc.assert(
      fc.asyncProperty(
        metadata,
        metadata,
        metadata,
        fc.boolean(),
        message,
        fc.array(message, {maxLength: 4}),
        fc.constantFrom('119994m', '1H', undefined),
        async (up, down, end, compressed, request, answers, timeout) => {
          const first: HeaderField[] = [{name: ':status', value: '200'}, {name: 'content-type', value: 'application/grpc+proto'}, ...down]
          const trailers = [...statusFields({code: 'OK', message: ''}), ...end]
          const lab = proxied({
            rules: [noMatch],
            serve: async ({stream}) => {
              stream.sendHeaders(first)
              for (const bytes of answers) await stream.write(framed(bytes, compressed))
              stream.end(trailers)
            },
          })
          const fields = timeout === undefined ? up : [...up, {name: 'grpc-timeout', value: timeout}]
          const sent = framed(compressed ? gzipSync(request) : request, compressed)
          const encoded = compressed ? [...fields, {name: 'grpc-encoding', value: 'gzip'}] : fields
          const stream = await send(lab.connect(), path, {body: sent, fields: encoded})
          await lab.run(0)
          const got = await answerOf(stream)
          expect(withoutAuthority(lab.seen[0]?.fields ?? [])).toEqual(withoutAuthority(fieldsFor(path, encoded)))
          expect(lab.seen[0]?.body).toEqual(sent)
          expect(got).toEqual({first, body: new Uint8Array(Buffer.concat(answers.map((bytes) => framed(bytes, compressed)))), trailers})
          expect(lab.calls).toMatchObject([{code: 'OK', requestBytes: sent.length, responseBytes: got.body.length}])
        },
      ),
      {numRuns: 60},
    )
  })

  test('a trailers-only answer stays one', async () => {
    const lab = proxied({rules: [noMatch], serve: (call) => refuseWith(call, 'UNIMPLEMENTED', 'unknown method')})
    const stream = await send(lab.connect(), path, {body})
    await lab.run(0)
    const answer = await answerOf(stream)
    expect(answer.trailers).toBeUndefined()
    expect(statusOf(answer)).toEqual({code: 12, message: 'unknown method'})
    expect(lab.calls).toMatchObject([{code: 'UNIMPLEMENTED', message: 'unknown method', class: 'final'}])
  })

  test('an answer that begins before the request has ended, and trailers of the request', async () => {
    const lab = proxied({rules: [noMatch], serve: (call) => answerWith(call, framed(new Uint8Array(0)))})
    const client = lab.connect()
    const stream = await client.request(fieldsFor(path))
    for (const byte of body) void stream.write(Uint8Array.of(byte)).catch(() => undefined)
    await lab.run(10)
    expect(lab.seen).toHaveLength(1)
    stream.end([{name: 'x-last', value: 'yes'}])
    await lab.run(20)
    expect(lab.seen).toMatchObject([{trailers: [{name: 'x-last', value: 'yes'}]}])
    expect(statusOf(await answerOf(stream)).code).toBe(0)
  })

  test('the client’s reset goes up, the server’s comes down', async () => {
    const lab = proxied({
      rules: [noMatch],
      serve: ({stream}) => (lab.seen.length === 1 ? undefined : stream.reset(errorCodes.ENHANCE_YOUR_CALM)),
    })
    const client = lab.connect()
    const first = await send(client, path, {body})
    await lab.run(10)
    first.reset(errorCodes.CANCEL)
    const second = await send(client, path, {body})
    second.response.catch(() => undefined)
    await lab.run(20)
    expect(lab.seen[0]?.reset).toBe(errorCodes.CANCEL)
    expect(second.failure).toMatchObject({code: errorCodes.ENHANCE_YOUR_CALM, by: 'peer'})
    expect(lab.calls).toMatchObject([
      {code: 'CANCELLED', owed: 'NodeUnstageVolume'},
      {code: 'RESOURCE_EXHAUSTED', class: 'uncertain'},
    ])
  })

  test('a message of 20 MiB', async () => {
    const large = framed(new Uint8Array(20 * 1024 * 1024).fill(7))
    const lab = proxied({rules: [noMatch], serve: (call) => answerWith(call, large)})
    const stream = await send(lab.connect(), path, {
      body: messageOf(NodeStageVolumeRequestSchema, {volumeId: 'x'.repeat(20 * 1024 * 1024)}),
    })
    const reading = answerOf(stream)
    for (let turn = 0; turn < 200 && lab.calls.length === 0; turn++) await lab.run(turn)
    expect((await reading).body.length).toBe(large.length)
    expect(lab.calls[0]?.requestBytes).toBeGreaterThan(20 * 1024 * 1024)
  })
})

describe('takeCall() sees a request that', () => {
  test.for([
    ['is compressed with gzip', 'gzip', framed(gzipSync(body.subarray(5)), true), {code: 'INTERNAL', rule: 'v1'}],
    ['says gzip and is not', 'gzip', body, {code: 'INTERNAL', rule: 'v1'}],
    [
      'is compressed with what nobody knows',
      'zstd',
      framed(Uint8Array.of(1), true),
      {code: 'OK', skipped: 'the request cannot be read: it is compressed with zstd, which is not known'},
    ],
    [
      'is no such message',
      'identity',
      framed(Uint8Array.of(0x0a, 0x7f)),
      {code: 'OK', skipped: 'the request cannot be read: it is no NodeStageVolumeRequest'},
    ],
    ['is none', 'identity', new Uint8Array(0), {code: 'OK', skipped: 'the request cannot be read: it has no message'}],
  ] as const)('%s', async ([, encoding, sent, expected]) => {
    const lab = proxied({rules: [ofVolume('v1')], serve: (call) => answerWith(call, framed(new Uint8Array(0)))})
    await send(lab.connect(), path, {body: sent, fields: [{name: 'grpc-encoding', value: encoding}]})
    await lab.run(0)
    expect(lab.calls).toMatchObject([expected])
    if (expected.code === 'OK') expect(lab.seen[0]?.body).toEqual(sent)
  })

  test('has more than 64 MiB by its own words: it passes', async () => {
    const lab = proxied({rules: [ofVolume('v1')], serve: () => undefined})
    const client = lab.connect()
    const stream = await client.request(fieldsFor(path))
    void stream.write(Uint8Array.of(0, 0x04, 0, 0, 1)).catch(() => undefined)
    await lab.run(0)
    stream.reset(errorCodes.CANCEL)
    await lab.run(10)
    expect(lab.seen).toHaveLength(1)
    expect(lab.calls).toMatchObject([{skipped: 'the request cannot be read: it has more than 64 MiB'}])
  })

  test('two rules look at: the first that matches takes it', async () => {
    const lab = proxied({rules: [noMatch, ofVolume('v0'), ofVolume('v1')], serve: (call) => answerWith(call, framed(new Uint8Array(0)))})
    await send(lab.connect(), path, {body})
    await lab.run(0)
    expect(lab.calls).toMatchObject([{rule: 'v1', fault: 'fail'}])
    expect(lab.book.list().map(({seen, taken}) => [seen, taken])).toEqual([
      [0, 0],
      [0, 0],
      [1, 1],
    ])
  })
})

test('takeCall() resets the client’s stream as refused when the server takes no more calls', async () => {
  const lab = proxied({
    rules: [
      {
        name: 'r',
        match: {method: 'NodeStageVolume'},
        fault: {kind: 'delay', plan: {before: 500, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'pass'}}},
      },
    ],
    serve: () => undefined,
  })
  const stream = await send(lab.connect(), path, {body})
  stream.response.catch(() => undefined)
  await lab.run(100)
  lab.endServers()
  await lab.run(1000)
  expect(stream.failure).toBeDefined()
  expect(lab.calls).toMatchObject([{code: 'UNAVAILABLE'}])
  expect(lab.calls[0]).not.toHaveProperty('owed')
})
