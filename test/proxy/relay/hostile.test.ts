// Whatever either peer sends: no crash, no hang, no harm to another pair of connections.
import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Frame} from '../../../src/http2/frame.ts'
import {writeFrame} from '../../../src/http2/write-frame.ts'
import type {HandleCall} from '../../../src/proxy/relay/handling.ts'
import {bridge} from '../../support/bridge.ts'
import {anyFrame, chunked} from '../../support/http2-frames.ts'
import {type RawPeer, requestFields} from '../../support/http2-raw-peer.ts'
import {rawRelay} from '../../support/raw-relay.ts'

const status = [{name: ':status', value: '200'}]

/** Every other call is taken. */
const handleCall: HandleCall = ({streamId}) => (streamId % 4 === 1 ? {kind: 'pass'} : {kind: 'take', take: (call) => bridge(call)})

const lengths = fc.array(fc.integer({min: 1, max: 500}), {minLength: 1, maxLength: 5})
/** Low numbers, so that frames meet, and blocks that can be decoded. */
const frames = fc.array(fc.tuple(anyFrame, fc.boolean()), {maxLength: 14})

function made(peer: RawPeer, list: readonly (readonly [Frame, boolean])[], fields: typeof requestFields): Buffer {
  const bytes = list.map(([frame, good]) => {
    const low = 'streamId' in frame ? {...frame, streamId: frame.streamId % 8} : frame
    return writeFrame(low.type === 'HEADERS' && good ? peer.open(low.streamId, {fields, endStream: low.endStream}) : low)
  })
  return Buffer.concat(bytes)
}

async function attack(
  fromClient: (peer: RawPeer) => Buffer,
  fromServer: (peer: RawPeer) => Buffer,
  pieces: readonly number[],
): Promise<void> {
  const {client, server, pair, settled} = await rawRelay(handleCall)
  client.send(client.open(1, {endStream: false}), client.open(3, {endStream: false}), client.open(5, {endStream: false}))
  await settled()
  server.send(server.open(1, {fields: status, endStream: false}), server.open(3, {fields: status, endStream: false}))
  const [up, down] = [chunked(fromClient(client), pieces), chunked(fromServer(server), pieces)]
  for (let at = 0; at < Math.max(up.length, down.length); at++) {
    client.send(up[at] ?? Buffer.of())
    server.send(down[at] ?? Buffer.of())
  }
  await settled()
  for (const {frames: came} of [client, server]) expect(came.filter(({type}) => type === 'fault')).toEqual([])
  client.socket.end()
  await settled()
  server.socket.end()
  client.socket.destroy()
  server.socket.destroy()
  await settled()
  pair.destroy('over')
  const {reason} = await pair.ended
  expect(reason).not.toContain('mistake')
  expect(pair.active).toBe(0)
}

const nothing = () => Buffer.of()

test('relay() survives any frames of a client', async () => {
  await fc.assert(
    fc.asyncProperty(frames, lengths, (list, pieces) => attack((peer) => made(peer, list, requestFields), nothing, pieces)),
    {numRuns: 300},
  )
})

test('relay() survives any frames of a server', async () => {
  await fc.assert(
    fc.asyncProperty(frames, lengths, (list, pieces) => attack(nothing, (peer) => made(peer, list, status), pieces)),
    {numRuns: 300},
  )
})

test('relay() survives random bytes of both', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({maxLength: 300}), fc.uint8Array({maxLength: 300}), lengths, (one, other, pieces) =>
      attack(
        () => Buffer.from(one),
        () => Buffer.from(other),
        pieces,
      ),
    ),
    {numRuns: 300},
  )
})
