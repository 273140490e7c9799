import {describe, expect, test} from 'vitest'
import {openConnection} from '../../src/http2/client-connection.ts'
import {errorCodes} from '../../src/http2/fault.ts'
import type {Frame} from '../../src/http2/frame.ts'
import {rawPeer, requestFields} from '../support/http2-raw-peer.ts'

const {PROTOCOL_ERROR, STREAM_CLOSED, REFUSED_STREAM, CANCEL, NO_ERROR, ENHANCE_YOUR_CALM, COMPRESSION_ERROR} = errorCodes

function connect(options = {}) {
  const {peer, other} = rawPeer('server')
  const client = openConnection(other, options)
  client.ended.catch(() => undefined)
  return {peer, client}
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const status = (code: string) => [{name: ':status', value: code}]
const data = (streamId: number, text: string, endStream = false): Frame => ({type: 'DATA', streamId, endStream, data: Buffer.from(text)})
const settings = (...values: [number, number][]): Frame => ({type: 'SETTINGS', ack: false, values})

describe('openConnection()', () => {
  test('sends a request and hands out response, body and trailers, interim responses apart', async () => {
    const {peer, client} = connect()
    const stream = await client.request(requestFields)
    await stream.write(Buffer.from('abc'))
    stream.end([{name: 'x-last', value: '1'}])
    await peer.settled()
    const [open, body, trailers] = peer.frames.filter((frame) => frame.type === 'HEADERS' || frame.type === 'DATA')
    expect(open && peer.fields(open)).toEqual(requestFields)
    expect(body).toMatchObject({type: 'DATA', streamId: 1, data: Buffer.from('abc'), endStream: false})
    expect(trailers).toMatchObject({type: 'HEADERS', endStream: true})
    peer.send(peer.open(1, {fields: status('103'), endStream: false}), peer.open(1, {fields: status('200'), endStream: false}))
    expect(await stream.response).toEqual(status('200'))
    peer.send(data(1, 'x'), data(1, 'yz'), peer.open(1, {fields: [{name: 'grpc-status', value: '0'}]}))
    expect([await stream.read(), await stream.read(), await stream.read()]).toEqual([Buffer.from('x'), bytes('yz'), undefined])
    expect(stream.trailers).toEqual([{name: 'grpc-status', value: '0'}])
    expect(stream.state).toBe('closed')
  })

  test('ready comes with the server’s SETTINGS, and push is turned off', async () => {
    const {peer, other} = rawPeer('server', {greets: false})
    const client = openConnection(other)
    let ready = false
    void client.ready.then(() => (ready = true))
    await peer.settled()
    expect(ready).toBe(false)
    expect(peer.frames[0]).toMatchObject({type: 'SETTINGS', values: expect.arrayContaining([[2, 0]])})
    peer.send(settings([3, 7]))
    expect(await client.ready).toMatchObject({maxConcurrentStreams: 7})
  })

  test('ready fails when the other side is no server', async () => {
    const {peer, other} = rawPeer('server', {greets: false})
    const client = openConnection(other)
    peer.send(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await expect(client.ready).rejects.toMatchObject({by: 'connection'})
    await expect(client.request(requestFields)).rejects.toMatchObject({unprocessed: true})
  })

  test('waits with requests beyond MAX_CONCURRENT_STREAMS, first come, first served, and lets go of one that is given up', async () => {
    const {peer, client} = connect()
    peer.send(settings([3, 1]))
    await peer.settled()
    const first = await client.request(requestFields)
    const given = new AbortController()
    const gone = client.request(requestFields, {signal: given.signal})
    const second = client.request(requestFields)
    const third = client.request(requestFields)
    given.abort(new Error('enough'))
    await expect(gone).rejects.toThrow('enough')
    first.reset()
    expect((await second).id).toBe(3)
    await peer.settled()
    expect(peer.frames.filter((frame) => frame.type === 'HEADERS')).toHaveLength(2)
    peer.send(settings([3, 2]))
    expect((await third).id).toBe(5)
  })

  test('tells resets: by the peer, refused, and by us', async () => {
    const {peer, client} = connect()
    const [one, two, three] = [
      await client.request(requestFields),
      await client.request(requestFields),
      await client.request(requestFields),
    ]
    peer.send({type: 'RST_STREAM', streamId: 1, code: CANCEL}, {type: 'RST_STREAM', streamId: 3, code: REFUSED_STREAM})
    await expect(one.response).rejects.toMatchObject({by: 'peer', code: CANCEL, unprocessed: false})
    await expect(two.read()).rejects.toMatchObject({by: 'peer', code: REFUSED_STREAM, unprocessed: true})
    three.reset(CANCEL)
    await expect(three.response).rejects.toMatchObject({by: 'us', code: CANCEL})
    await peer.settled()
    expect(peer.frames.at(-1)).toEqual({type: 'RST_STREAM', streamId: 5, code: CANCEL})
    // What crossed our reset is passed over.
    peer.send(peer.open(5, {fields: status('200'), endStream: false}), data(5, 'late'), {type: 'PING', ack: false, data: Buffer.alloc(8)})
    await peer.settled()
    expect(peer.frames.at(-1)).toMatchObject({type: 'PING', ack: true})
  })

  test('keeps an answer that is whole when the server wants no more of the request', async () => {
    const {peer, client} = connect()
    const stream = await client.request(requestFields)
    const written = stream.write(Buffer.alloc(100_000))
    peer.send(peer.open(1, {fields: status('200'), endStream: false}), data(1, 'all', true), {
      type: 'RST_STREAM',
      streamId: 1,
      code: NO_ERROR,
    })
    await expect(written).rejects.toMatchObject({by: 'peer', code: NO_ERROR})
    expect(await stream.response).toEqual(status('200'))
    expect([await stream.read(), await stream.read()]).toEqual([bytes('all'), undefined])
    expect([stream.state, stream.failure]).toEqual(['closed', undefined])
  })

  test('after GOAWAY fails the streams that the server has not taken, lets the others end, and ends', async () => {
    const {peer, client} = connect()
    const [one, two] = [await client.request(requestFields), await client.request(requestFields)]
    peer.send({type: 'GOAWAY', lastStreamId: 1, code: NO_ERROR, debug: Buffer.of()})
    await expect(two.response).rejects.toMatchObject({by: 'connection', unprocessed: true})
    expect(client.goingAway).toBe(true)
    await expect(client.request(requestFields)).rejects.toMatchObject({unprocessed: true})
    peer.send(peer.open(1, {fields: status('204')}))
    expect(await one.response).toEqual(status('204'))
    one.end()
    await client.ended
    await peer.settled()
    expect(peer.closed).toBe(true)
  })

  test('ping() resolves with the answer, and rejects when the connection ends', async () => {
    const {peer, client} = connect()
    const pinged = client.ping()
    await peer.settled()
    peer.send({type: 'PING', ack: true, data: Buffer.alloc(8)})
    await pinged
    const lost = client.ping()
    peer.socket.destroy()
    await expect(lost).rejects.toMatchObject({by: 'connection'})
    await expect(client.ping()).rejects.toMatchObject({by: 'connection'})
  })

  test('close() ends the connection once its streams are over', async () => {
    const {peer, client} = connect()
    const stream = await client.request(requestFields, {endStream: true})
    client.close()
    await expect(client.request(requestFields)).rejects.toMatchObject({unprocessed: true})
    await peer.settled()
    expect(peer.closed).toBe(false)
    peer.send(peer.open(1, {fields: status('200')}))
    expect(await stream.response).toEqual(status('200'))
    expect(await client.ended).toMatchObject({by: 'us', code: NO_ERROR})
  })

  test.each<[string, (peer: ReturnType<typeof connect>['peer']) => readonly Frame[], number]>([
    ['HEADERS of an even stream', (peer) => [peer.open(2)], PROTOCOL_ERROR],
    ['HEADERS of a stream that it has not opened', (peer) => [peer.open(3)], PROTOCOL_ERROR],
    ['PUSH_PROMISE', () => [{type: 'PUSH_PROMISE', streamId: 1, promisedId: 2, endHeaders: true, fragment: Buffer.of()}], PROTOCOL_ERROR],
    [
      'a header block that is none',
      () => [{type: 'HEADERS', streamId: 1, endStream: false, endHeaders: true, fragment: Buffer.of(0x80)}],
      COMPRESSION_ERROR,
    ],
  ])('ends the connection after %s', async (_, frames, code) => {
    const {peer, client} = connect()
    const stream = await client.request(requestFields)
    peer.send(...frames(peer))
    expect(await client.ended).toMatchObject({by: 'us', code})
    await expect(stream.response).rejects.toMatchObject({by: 'connection', code})
  })

  test.each<[string, (peer: ReturnType<typeof connect>['peer']) => readonly Frame[], number]>([
    ['a response without a status', (peer) => [peer.open(1, {fields: []})], PROTOCOL_ERROR],
    ['a status that is none', (peer) => [peer.open(1, {fields: status('ok')})], PROTOCOL_ERROR],
    ['two statuses', (peer) => [peer.open(1, {fields: [...status('200'), ...status('200')]})], PROTOCOL_ERROR],
    ['a response with :path', (peer) => [peer.open(1, {fields: [...status('200'), {name: ':path', value: '/'}]})], PROTOCOL_ERROR],
    ['an interim response that ends it', (peer) => [peer.open(1, {fields: status('100')})], PROTOCOL_ERROR],
    ['data before the response', () => [data(1, 'x')], PROTOCOL_ERROR],
    ['data behind the end', (peer) => [peer.open(1, {fields: status('200')}), data(1, 'x')], STREAM_CLOSED],
    [
      'a response that is too large',
      (peer) => [peer.open(1, {fields: [...status('200'), {name: 'a', value: 'b'.repeat(200)}]})],
      ENHANCE_YOUR_CALM,
    ],
  ])('resets a stream after %s', async (_, frames, code) => {
    const {peer, client} = connect({maxHeaderListSize: 200})
    const stream = await client.request(requestFields)
    peer.send(...frames(peer))
    await peer.settled()
    expect(peer.frames.at(-1)).toEqual({type: 'RST_STREAM', streamId: 1, code})
    expect(stream.failure).toMatchObject({by: 'us', code})
  })
})
