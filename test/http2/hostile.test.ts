// Whatever a peer sends: no crash, no hang, no harm to other connections, and no more memory than the limits say.
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {openConnection} from '../../src/http2/client-connection.ts'
import {clientPreface} from '../../src/http2/preface.ts'
import {type ServerStream, serveConnection} from '../../src/http2/server-connection.ts'
import {writeFrame} from '../../src/http2/write-frame.ts'
import {anyFrame, chunked} from '../support/http2-frames.ts'
import {emptySettings, rawPeer, requestFields} from '../support/http2-raw-peer.ts'

const ok = [{name: ':status', value: '200'}]

async function echo(stream: ServerStream): Promise<void> {
  stream.sendHeaders(ok)
  for await (const piece of stream) await stream.write(piece)
  stream.end([{name: 'x', value: 'y'}])
}

/** A session that is well: requests with bodies, pings, updates, trailers. */
function goodSession(): Buffer {
  const {peer} = rawPeer('client', {greets: false})
  const frames = [1, 3, 5].flatMap((streamId) => [
    peer.open(streamId, {endStream: false, fields: [...requestFields, {name: 'x-a', value: 'b'.repeat(streamId * 10)}]}),
    {type: 'DATA', streamId, endStream: false, data: Buffer.alloc(100, streamId), padding: 7} as const,
    {type: 'WINDOW_UPDATE', streamId, increment: 1000} as const,
    {type: 'PING', ack: false, data: Buffer.from('12345678')} as const,
    peer.open(streamId, {fields: [{name: 'x-t', value: 'u'}]}),
  ])
  const reset = {type: 'RST_STREAM', streamId: 7, code: 8} as const
  return Buffer.concat([clientPreface, writeFrame(emptySettings), ...frames.map(writeFrame), writeFrame(peer.open(7)), writeFrame(reset)])
}

/** Runs the bytes through a server while a good client talks to another connection of it; both must come to an end. */
async function attack(bytes: Uint8Array, lengths: readonly number[]): Promise<void> {
  const bad = rawPeer('client', {greets: false})
  const good = rawPeer('client')
  const attacked = serveConnection(bad.other, {onStream: echo})
  const unharmed = serveConnection(good.other, {onStream: echo})
  for (const chunk of chunked(bytes, lengths)) bad.peer.send(chunk)
  good.peer.send(good.peer.open(1, {endStream: false}), {type: 'DATA', streamId: 1, endStream: true, data: Buffer.from('fine')})
  await bad.peer.settled()
  await good.peer.settled()
  expect(good.peer.frames).toContainEqual(expect.objectContaining({type: 'DATA', data: Buffer.from('fine')}))
  expect(good.peer.frames.at(-1)).toMatchObject({type: 'HEADERS', endStream: true})
  // Nothing but frames comes back.
  expect(bad.peer.frames.filter(({type}) => type === 'fault')).toEqual([])
  bad.peer.socket.destroy()
  await attacked.ended
  unharmed.destroy()
}

const lengths = fc.array(fc.integer({min: 1, max: 500}), {minLength: 1, maxLength: 5})

test('serveConnection() survives random bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.uint8Array({maxLength: 300}), lengths, async (prefaced, noise, pieces) => {
      const start = prefaced ? [clientPreface, writeFrame(emptySettings)] : []
      await attack(Buffer.concat([...start, noise]), pieces)
    }),
    {numRuns: 300},
  )
})

test('serveConnection() survives any frames', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyFrame, {maxLength: 12}), lengths, async (frames, pieces) => {
      // Low numbers, so that frames meet.
      const low = frames.map((frame) => ('streamId' in frame ? {...frame, streamId: frame.streamId % 4} : frame))
      await attack(Buffer.concat([clientPreface, writeFrame(emptySettings), ...low.map(writeFrame)]), pieces)
    }),
    {numRuns: 400},
  )
})

test('serveConnection() survives a good session with octets changed, left out, doubled or cut off', async () => {
  const good = goodSession()
  const change = fc.record({at: fc.nat(good.length - 1), act: fc.constantFrom('set', 'drop', 'double', 'cut'), octet: fc.nat(255)})
  await fc.assert(
    fc.asyncProperty(fc.array(change, {minLength: 1, maxLength: 4}), lengths, async (changes, pieces) => {
      let bytes = Buffer.from(good)
      for (const {at, act, octet} of changes) {
        if (act === 'set' && at < bytes.length) bytes[at] = octet
        if (act === 'drop') bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
        if (act === 'double') bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at - (octet % 32), at), bytes.subarray(at)])
        if (act === 'cut' && octet < 64) bytes = bytes.subarray(0, at)
      }
      await attack(bytes, pieces)
    }),
    {numRuns: 600},
  )
})

test('openConnection() survives any frames', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyFrame, {maxLength: 12}), lengths, async (frames, pieces) => {
      const {peer, other} = rawPeer('server')
      const client = openConnection(other)
      const stream = await client.request(requestFields)
      const low = frames.map((frame) => ('streamId' in frame ? {...frame, streamId: frame.streamId % 4} : frame))
      for (const chunk of chunked(Buffer.concat(low.map(writeFrame)), pieces)) peer.send(chunk)
      await peer.settled()
      peer.socket.destroy()
      await client.ended
      // It has an end, whatever it is.
      while ((await stream.read().catch(() => undefined)) !== undefined);
    }),
    {numRuns: 300},
  )
})

test('serveConnection() holds no more of a body that nobody reads than its windows, in frames of one octet either', async () => {
  const {peer, other} = rawPeer('client')
  serveConnection(other, {onStream: () => new Promise(() => undefined), streamWindow: 1_000_000, connectionWindow: 2_000_000})
  const octet = writeFrame({type: 'DATA', streamId: 1, endStream: false, data: Buffer.of(1)})
  const many = Buffer.concat(Array.from({length: 10_000}, () => octet))
  peer.send(peer.open(1, {endStream: false}))
  await peer.settled()
  const before = process.memoryUsage()
  for (let times = 0; times < 100; times++) {
    peer.send(many)
    await peer.settled()
  }
  const after = process.memoryUsage()
  expect(peer.frames.filter(({type}) => type === 'RST_STREAM' || type === 'GOAWAY')).toEqual([])
  expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(20_000_000)
  peer.send(octet)
  await peer.settled()
  expect(peer.frames).toContainEqual(expect.objectContaining({type: 'RST_STREAM', code: 3}))
})
