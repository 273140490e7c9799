import {describe, expect, test} from 'vitest'
import {errorCodes} from '../../src/http2/fault.ts'
import type {Frame} from '../../src/http2/frame.ts'
import type {HeaderField} from '../../src/http2/header-field.ts'
import {clientPreface} from '../../src/http2/preface.ts'
import {type ServerOptions, type ServerStream, serveConnection} from '../../src/http2/server-connection.ts'
import {emptySettings, type RawPeer, rawPeer, requestFields} from '../support/http2-raw-peer.ts'

const ok = [{name: ':status', value: '200'}]

/** Keeps each request's body, and answers it once it is whole. */
async function echo(stream: ServerStream): Promise<void> {
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  stream.sendHeaders(ok)
  if (pieces.length > 0) await stream.write(Buffer.concat(pieces))
  stream.end([{name: 'x-end', value: String(stream.trailers?.length ?? 0)}])
}

function serve(options: Partial<ServerOptions> = {}, greets = true) {
  const {peer, other} = rawPeer('client', {greets})
  const streams: ServerStream[] = []
  const {onStream = echo, ...limits} = options
  const connection = serveConnection(other, {
    ...limits,
    onStream: (stream, request) => {
      streams.push(stream)
      return onStream(stream, request)
    },
  })
  return {peer, connection, streams, socket: other}
}

const data = (streamId: number, size: number, endStream = false, padding?: number): Frame => ({
  type: 'DATA',
  streamId,
  endStream,
  data: Buffer.alloc(size, 'd'),
  ...(padding !== undefined && {padding}),
})

const goaway = ({frames}: RawPeer) => frames.find((frame) => frame.type === 'GOAWAY')
const resets = ({frames}: RawPeer) => frames.flatMap((frame) => (frame.type === 'RST_STREAM' ? [[frame.streamId, frame.code]] : []))
const updates = ({frames}: RawPeer, streamId: number) =>
  frames.flatMap((frame) => (frame.type === 'WINDOW_UPDATE' && frame.streamId === streamId ? [frame.increment] : []))
const received = ({frames}: RawPeer, streamId: number) =>
  frames.flatMap((frame) => (frame.type === 'DATA' && frame.streamId === streamId ? [frame.data.length] : []))

const {
  PROTOCOL_ERROR,
  FLOW_CONTROL_ERROR,
  STREAM_CLOSED,
  FRAME_SIZE_ERROR,
  COMPRESSION_ERROR,
  ENHANCE_YOUR_CALM,
  REFUSED_STREAM,
  CANCEL,
  NO_ERROR,
} = errorCodes

describe('serveConnection() ends the connection with GOAWAY after', () => {
  const setting = (id: number, value: number): Frame => ({type: 'SETTINGS', ack: false, values: [[id, value]]})
  test.each<[string, (peer: RawPeer) => readonly (Frame | Uint8Array)[], number]>([
    ['HEADERS of an even stream', (peer) => [peer.open(2)], PROTOCOL_ERROR],
    ['HEADERS of a stream before the last', (peer) => [peer.open(5), peer.open(3)], STREAM_CLOSED],
    ['DATA of an idle stream', () => [data(1, 1)], PROTOCOL_ERROR],
    ['RST_STREAM of an idle stream', () => [{type: 'RST_STREAM', streamId: 1, code: 8}], PROTOCOL_ERROR],
    ['WINDOW_UPDATE of an idle stream', () => [{type: 'WINDOW_UPDATE', streamId: 7, increment: 1}], PROTOCOL_ERROR],
    ['PUSH_PROMISE', () => [{type: 'PUSH_PROMISE', streamId: 1, promisedId: 2, endHeaders: true, fragment: Buffer.of()}], PROTOCOL_ERROR],
    ['CONTINUATION of nothing', () => [{type: 'CONTINUATION', streamId: 1, endHeaders: true, fragment: Buffer.of()}], PROTOCOL_ERROR],
    ['a PING within a header block', (peer) => [{...peer.open(1), endHeaders: false} as Frame, ping()], PROTOCOL_ERROR],
    [
      'another stream within a header block',
      (peer) => [
        {...peer.open(1), endHeaders: false} as Frame,
        {type: 'CONTINUATION', streamId: 3, endHeaders: true, fragment: Buffer.of()},
      ],
      PROTOCOL_ERROR,
    ],
    [
      'an unknown frame within a header block',
      (peer) => [{...peer.open(1), endHeaders: false} as Frame, {type: 'UNKNOWN', kind: 99, flags: 0, streamId: 0, payload: Buffer.of()}],
      PROTOCOL_ERROR,
    ],
    ['a block that is no HPACK', () => [block(1, Buffer.of(0x80))], COMPRESSION_ERROR],
    [
      'a block that is no HPACK on a stream that is over',
      (peer) => [peer.open(1, {fields: []}), block(1, Buffer.of(0x80))],
      COMPRESSION_ERROR,
    ],
    [
      'a window of the connection above 2^31-1',
      () => [{type: 'WINDOW_UPDATE', streamId: 0, increment: 2 ** 31 - 65_535}],
      FLOW_CONTROL_ERROR,
    ],
    [
      'SETTINGS that make a window too large',
      (peer) => [peer.open(1, {endStream: false}), {type: 'WINDOW_UPDATE', streamId: 1, increment: 2 ** 31 - 65_536}, setting(4, 65_537)],
      FLOW_CONTROL_ERROR,
    ],
    ['SETTINGS_INITIAL_WINDOW_SIZE of 2^31', () => [setting(4, 2 ** 31)], FLOW_CONTROL_ERROR],
    ['SETTINGS_MAX_FRAME_SIZE of 16,383', () => [setting(5, 16_383)], PROTOCOL_ERROR],
    ['SETTINGS_MAX_FRAME_SIZE of 2^24', () => [setting(5, 2 ** 24)], PROTOCOL_ERROR],
    ['SETTINGS_ENABLE_PUSH of 2', () => [setting(2, 2)], PROTOCOL_ERROR],
    ['a frame of 16,385 bytes', () => [data(1, 16_385)], FRAME_SIZE_ERROR],
    [
      'a thousand empty CONTINUATION frames',
      (peer) => [{...peer.open(1), endHeaders: false} as Frame, ...Array.from({length: 1000}, () => more())],
      ENHANCE_YOUR_CALM,
    ],
    [
      'a header block of a megabyte',
      (peer) => [{...peer.open(1), endHeaders: false} as Frame, ...Array.from({length: 64}, () => more(16_384))],
      ENHANCE_YOUR_CALM,
    ],
  ])('%s', async (_, frames, code) => {
    const {peer, connection} = serve()
    peer.send(...frames(peer))
    await peer.settled()
    expect(goaway(peer)).toMatchObject({code})
    expect(peer.closed).toBe(true)
    expect(await connection.ended).toMatchObject({by: 'us', code})
  })

  const block = (streamId: number, fragment: Uint8Array): Frame => ({
    type: 'HEADERS',
    streamId,
    endStream: true,
    endHeaders: true,
    fragment,
  })
  const more = (size = 0): Frame => ({type: 'CONTINUATION', streamId: 1, endHeaders: false, fragment: Buffer.alloc(size)})
  const ping = (): Frame => ({type: 'PING', ack: false, data: Buffer.alloc(8)})

  test.each<[string, readonly (Frame | Uint8Array)[]]>([
    ['another preface', [Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')]],
    ['a preface without SETTINGS', [clientPreface, ping()]],
    ['an acknowledgement before SETTINGS', [clientPreface, {type: 'SETTINGS', ack: true, values: []}]],
  ])('%s', async (_, parts) => {
    const {peer} = serve({}, false)
    peer.send(...parts)
    await peer.settled()
    expect(goaway(peer)).toMatchObject({code: PROTOCOL_ERROR})
    expect(peer.closed).toBe(true)
  })
})

describe('serveConnection() resets the stream and no more after', () => {
  const field = (name: string, value: string): HeaderField => ({name, value})
  const without = (name: string) => requestFields.filter((of) => of.name !== name)
  test.each<[string, readonly HeaderField[], number]>([
    ['no :method', without(':method'), PROTOCOL_ERROR],
    ['no :path', without(':path'), PROTOCOL_ERROR],
    ['an empty :path', [...without(':path'), field(':path', '')], PROTOCOL_ERROR],
    ['two :path', [...requestFields, field(':path', '/')], PROTOCOL_ERROR],
    ['two :authority', [...requestFields, field(':authority', 'x')], PROTOCOL_ERROR],
    [':status', [...requestFields, field(':status', '200')], PROTOCOL_ERROR],
    ['a pseudo field that nobody knows', [...requestFields, field(':x', '')], PROTOCOL_ERROR],
    ['a pseudo field behind others', [...without(':path'), field('a', ''), field(':path', '/')], PROTOCOL_ERROR],
    ['a name in upper case', [...requestFields, field('A', '')], PROTOCOL_ERROR],
    ['an empty name', [...requestFields, field('', 'a')], PROTOCOL_ERROR],
    ['a line break in a value', [...requestFields, field('a', 'b\nc')], PROTOCOL_ERROR],
    ['a zero in a value', [...requestFields, field('a', '\0')], PROTOCOL_ERROR],
    ['connection', [...requestFields, field('connection', 'close')], PROTOCOL_ERROR],
    ['transfer-encoding', [...requestFields, field('transfer-encoding', 'chunked')], PROTOCOL_ERROR],
    ['te with gzip', [...requestFields, field('te', 'gzip')], PROTOCOL_ERROR],
    ['a length of 1 and no data', [...requestFields, field('content-length', '1')], PROTOCOL_ERROR],
    ['a length that is none', [...requestFields, field('content-length', 'x')], PROTOCOL_ERROR],
    ['more fields than we take', [...requestFields, field('a', 'b'.repeat(65_536))], ENHANCE_YOUR_CALM],
  ])('%s', async (_, fields, code) => {
    const {peer} = serve()
    const open = peer.open(1, {fields})
    const {fragment} = open as {fragment: Uint8Array}
    peer.send({...open, fragment: fragment.subarray(0, 16_384), endHeaders: fragment.length <= 16_384} as Frame)
    for (let at = 16_384; at < fragment.length; at += 16_384) {
      const endHeaders = at + 16_384 >= fragment.length
      peer.send({type: 'CONTINUATION', streamId: 1, endHeaders, fragment: fragment.subarray(at, at + 16_384)})
    }
    peer.send(peer.open(3))
    await peer.settled()
    expect(resets(peer)).toEqual([[1, code]])
    expect(peer.frames.filter((frame) => frame.type === 'HEADERS').map(({streamId}) => streamId)).toEqual([3, 3])
    expect(goaway(peer)).toBeUndefined()
  })

  test.each<[string, readonly Frame[], number]>([
    ['more data than the window of the stream', Array.from({length: 5}, () => data(1, 14_000)), FLOW_CONTROL_ERROR],
    [
      'a byte of padding more than the window of the stream',
      [...Array.from({length: 4}, () => data(1, 16_000)), data(1, 1535, false, 0)],
      FLOW_CONTROL_ERROR,
    ],
    ['a window of the stream above 2^31-1', [{type: 'WINDOW_UPDATE', streamId: 1, increment: 2 ** 31 - 65_535}], FLOW_CONTROL_ERROR],
    ['an update by nothing', [{type: 'WINDOW_UPDATE', streamId: 1, increment: 0}], PROTOCOL_ERROR],
    ['data behind the end', [data(1, 1, true), data(1, 1)], STREAM_CLOSED],
    [
      'trailers that are not the end',
      [{type: 'HEADERS', streamId: 1, endStream: false, endHeaders: true, fragment: Buffer.of()}],
      PROTOCOL_ERROR,
    ],
    ['trailers with :path', [{type: 'HEADERS', streamId: 1, endStream: true, endHeaders: true, fragment: Buffer.of(0x84)}], PROTOCOL_ERROR],
    [
      'trailers behind the end',
      [data(1, 1, true), {type: 'HEADERS', streamId: 1, endStream: true, endHeaders: true, fragment: Buffer.of()}],
      STREAM_CLOSED,
    ],
  ])('%s', async (_, frames, code) => {
    // Nobody reads and nobody answers.
    const {peer, streams} = serve({onStream: () => new Promise(() => undefined), streamWindow: 65_535})
    peer.send(peer.open(1, {endStream: false}), ...frames)
    await peer.settled()
    expect(resets(peer)).toEqual([[1, code]])
    expect(streams[0]?.failure).toMatchObject({by: 'us', code})
    expect(streams[0]?.signal.aborted).toBe(true)
    expect(goaway(peer)).toBeUndefined()
  })

  test('more data than content-length says, at once, and less, at the end', async () => {
    const {peer} = serve()
    const fields = [...requestFields, field('content-length', '10')]
    peer.send(peer.open(1, {endStream: false, fields}), data(1, 11))
    peer.send(peer.open(3, {endStream: false, fields}), data(3, 9, true))
    peer.send(peer.open(5, {endStream: false, fields}), data(5, 10, true))
    await peer.settled()
    expect(resets(peer)).toEqual([
      [1, PROTOCOL_ERROR],
      [3, PROTOCOL_ERROR],
    ])
    expect(received(peer, 5)).toEqual([10])
  })
})

describe('serveConnection()', () => {
  test.each(['', '/run/containerd/containerd.sock', 'unix:///run/x.sock', '@abstract', undefined])(
    'takes %j for an :authority',
    async (authority) => {
      const requests: (readonly HeaderField[])[] = []
      const onStream = (stream: ServerStream, request: readonly HeaderField[]) => {
        requests.push(request)
        return echo(stream)
      }
      const {peer} = serve({onStream})
      const fields = requestFields.flatMap((field) =>
        field.name !== ':authority' ? [field] : authority === undefined ? [] : [{...field, value: authority}],
      )
      peer.send(peer.open(1, {fields}))
      await peer.settled()
      expect(requests).toEqual([fields])
      expect(resets(peer)).toEqual([])
    },
  )

  test('takes a request without :scheme, as grpc-go does', async () => {
    const {peer, streams} = serve()
    peer.send(peer.open(1, {fields: requestFields.filter(({name}) => name !== ':scheme')}))
    await peer.settled()
    expect(streams).toHaveLength(1)
  })

  test('starts with SETTINGS, acknowledges the peer’s, and answers PING with its bytes', async () => {
    const {peer} = serve()
    peer.send({type: 'PING', ack: false, data: Buffer.from('12345678')}, emptySettings)
    await peer.settled()
    expect(peer.frames[0]).toMatchObject({type: 'SETTINGS', ack: false})
    expect(peer.frames.filter((frame) => frame.type === 'SETTINGS' && frame.ack)).toHaveLength(2)
    expect(peer.frames.at(-2)).toMatchObject({type: 'PING', ack: true, data: Buffer.from('12345678')})
  })

  test('hands out headers, data without padding, and trailers; passes over PRIORITY and what it does not know', async () => {
    const {peer, streams} = serve()
    peer.send(
      {type: 'UNKNOWN', kind: 0x42, flags: 255, streamId: 99, payload: Buffer.alloc(9)},
      {type: 'PRIORITY', streamId: 9, priority: {exclusive: true, dependsOn: 9, weight: 1}},
      peer.open(1, {endStream: false}),
      data(1, 3, false, 10),
      data(1, 0, false, 0),
      data(1, 2),
      {...peer.open(1, {fields: [{name: 'x', value: 'y'}]})},
    )
    await peer.settled()
    expect(streams[0]?.trailers).toEqual([{name: 'x', value: 'y'}])
    expect(received(peer, 1)).toEqual([5])
    const [head, tail] = peer.frames.filter((frame) => frame.type === 'HEADERS')
    expect(head && peer.fields(head)).toEqual(ok)
    expect(tail && peer.fields(tail)).toEqual([{name: 'x-end', value: '1'}])
    expect(tail).toMatchObject({endStream: true})
  })

  test('sends no byte more than the windows of the stream and the connection have', async () => {
    const {peer} = serve({
      onStream: (stream) => {
        stream.sendHeaders(ok)
        void stream.write(Buffer.alloc(100_000))
        stream.end()
      },
    })
    peer.send({type: 'SETTINGS', ack: false, values: [[4, 10]]}, peer.open(1), peer.open(3))
    await peer.settled()
    expect(received(peer, 1)).toEqual([10])
    peer.send({type: 'WINDOW_UPDATE', streamId: 1, increment: 7})
    await peer.settled()
    expect(received(peer, 1)).toEqual([10, 7])
    // It was 0 and is -5 now: five are due before anything goes.
    peer.send({type: 'SETTINGS', ack: false, values: [[4, 5]]}, {type: 'WINDOW_UPDATE', streamId: 1, increment: 5})
    await peer.settled()
    expect(received(peer, 1)).toEqual([10, 7])
    peer.send({type: 'WINDOW_UPDATE', streamId: 1, increment: 1})
    await peer.settled()
    expect(received(peer, 1)).toEqual([10, 7, 1])
    peer.send({type: 'WINDOW_UPDATE', streamId: 1, increment: 200_000}, {type: 'WINDOW_UPDATE', streamId: 3, increment: 200_000})
    await peer.settled()
    const sent = () => [...received(peer, 1), ...received(peer, 3)].reduce((sum, size) => sum + size, 0)
    expect(sent()).toBe(65_535)
    peer.send({type: 'WINDOW_UPDATE', streamId: 0, increment: 1})
    await peer.settled()
    expect(sent()).toBe(65_536)
    peer.send({type: 'WINDOW_UPDATE', streamId: 0, increment: 200_000})
    await peer.settled()
    expect(sent()).toBe(200_000)
    expect(peer.frames.filter((frame) => frame.type === 'DATA' && frame.endStream)).toHaveLength(2)
  })

  test('cuts data into frames of the peer’s size and lets streams take turns', async () => {
    const {peer} = serve({
      onStream: (stream) => {
        stream.sendHeaders(ok)
        void stream.write(Buffer.alloc(20_000))
        stream.end()
      },
    })
    peer.send({type: 'SETTINGS', ack: false, values: [[4, 0]]}, peer.open(1), peer.open(3), {
      type: 'SETTINGS',
      ack: false,
      values: [[4, 100_000]],
    })
    await peer.settled()
    expect(peer.frames.flatMap((frame) => (frame.type === 'DATA' ? [[frame.streamId, frame.data.length, frame.endStream]] : []))).toEqual([
      [1, 16_384, false],
      [3, 16_384, false],
      [1, 3616, true],
      [3, 3616, true],
    ])
  })

  test('opens the windows again as a body is read, and not before', async () => {
    let go = () => undefined as unknown
    const {peer, streams} = serve({
      streamWindow: 65_535,
      connectionWindow: 65_535,
      onStream: () => new Promise((resolve) => (go = () => resolve())),
    })
    peer.send(peer.open(1, {endStream: false}), data(1, 16_384), data(1, 16_383))
    await peer.settled()
    expect([updates(peer, 0), updates(peer, 1)]).toEqual([[], []])
    await streams[0]?.read()
    await peer.settled()
    expect([updates(peer, 0), updates(peer, 1)]).toEqual([[], []])
    peer.send(data(1, 1))
    await streams[0]?.read()
    await streams[0]?.read()
    await peer.settled()
    expect([updates(peer, 0), updates(peer, 1)]).toEqual([[32_768], [32_768]])
    go()
  })

  test('opens the window of the connection again for data that nobody will read', async () => {
    const {peer, streams} = serve({streamWindow: 65_535, connectionWindow: 65_535, onStream: () => undefined})
    const third = Array.from({length: 3}, () => data(1, 15_000))
    // Unread when the stream is reset; of a stream that is over; padding; and of a body that is not wanted.
    peer.send(peer.open(1, {endStream: false}), ...third, {type: 'RST_STREAM', streamId: 1, code: 8})
    await peer.settled()
    expect(updates(peer, 0)).toEqual([45_000])
    peer.send(...third)
    await peer.settled()
    expect(updates(peer, 0)).toEqual([45_000, 45_000])
    peer.send(peer.open(3, {endStream: false}))
    await peer.settled()
    streams[1]?.discard()
    peer.send(...third.map((frame) => ({...frame, streamId: 3}) as Frame))
    await peer.settled()
    expect(updates(peer, 0)).toEqual([45_000, 45_000, 45_000])
    peer.send(...Array.from({length: 128}, () => data(3, 0, false, 255)))
    await peer.settled()
    expect(updates(peer, 0)).toEqual([45_000, 45_000, 45_000, 32_768])
  })

  test('opens the window of the connection again for data that is refused', async () => {
    const {peer} = serve({streamWindow: 65_535, connectionWindow: 65_535})
    const fields = [...requestFields, {name: 'content-length', value: '1'}]
    for (const id of [1, 3]) peer.send(peer.open(id, {endStream: false, fields}), data(id, 16_384))
    await peer.settled()
    expect(resets(peer)).toHaveLength(2)
    expect(updates(peer, 0)).toEqual([32_768])
  })

  test('goes by the initial window until its own was acknowledged', async () => {
    const {peer} = serve({streamWindow: 100, onStream: () => new Promise(() => undefined)}, false)
    peer.send(clientPreface, emptySettings, peer.open(1, {endStream: false}), data(1, 16_384))
    await peer.settled()
    expect(resets(peer)).toEqual([])
    peer.send({type: 'SETTINGS', ack: true, values: []}, peer.open(3, {endStream: false}), data(3, 100), data(3, 1))
    await peer.settled()
    expect(resets(peer)).toEqual([[3, FLOW_CONTROL_ERROR]])
  })

  test('refuses streams beyond its limit and takes new ones when some are over', async () => {
    const {peer} = serve({maxConcurrentStreams: 2})
    peer.send(...[1, 3, 5].map((id) => peer.open(id, {endStream: false})), data(1, 0, true))
    await peer.settled()
    expect(resets(peer)).toEqual([[5, REFUSED_STREAM]])
    peer.send(peer.open(7))
    await peer.settled()
    expect(
      peer.frames.filter((frame) => frame.type === 'HEADERS' && frame.endStream).map((frame) => 'streamId' in frame && frame.streamId),
    ).toEqual([1, 7])
  })

  test('tells the handler when the peer resets the stream, and waits for nothing', async () => {
    const {peer, connection, streams} = serve({onStream: () => new Promise(() => undefined)})
    peer.send(peer.open(1, {endStream: false}))
    await peer.settled()
    const [stream] = streams
    const [reading, writing] = [stream?.read(), stream?.write(Buffer.alloc(100_000))]
    const {signal} = stream ?? {}
    peer.send({type: 'RST_STREAM', streamId: 1, code: CANCEL})
    await expect(reading).rejects.toMatchObject({by: 'peer', code: CANCEL})
    await expect(writing).rejects.toMatchObject({by: 'peer', code: CANCEL})
    expect(signal?.reason).toMatchObject({code: CANCEL})
    expect(connection.active).toBe(0)
  })

  test.each([NO_ERROR, CANCEL])('fails a stream whose request is whole when the client resets it with code %i', async (code) => {
    const {peer, streams} = serve({onStream: () => undefined})
    peer.send(peer.open(1), {type: 'RST_STREAM', streamId: 1, code})
    await peer.settled()
    expect(streams[0]?.signal.reason).toMatchObject({by: 'peer', code})
  })

  test('resets a stream whose request goes on after the answer, with NO_ERROR', async () => {
    const {peer} = serve({onStream: (stream) => stream.sendHeaders(ok, {endStream: true})})
    peer.send(peer.open(1, {endStream: false}), data(1, 5), peer.open(3))
    await peer.settled()
    expect(resets(peer)).toEqual([[1, 0]])
    peer.send(data(1, 5), peer.open(1, {fields: []}), peer.open(5))
    await peer.settled()
    expect(resets(peer)).toEqual([[1, 0]])
    expect(goaway(peer)).toBeUndefined()
  })

  test('resets a stream whose handler fails, with INTERNAL_ERROR', async () => {
    const {peer} = serve({
      onStream: (stream) => {
        if (stream.id === 1) throw new Error('at once')
        return Promise.reject(new Error('later'))
      },
    })
    peer.send(peer.open(1), peer.open(3))
    await peer.settled()
    expect(resets(peer)).toEqual([
      [1, 2],
      [3, 2],
    ])
  })

  test('close() lets streams end that came before GOAWAY, passes over later ones, and ends', async () => {
    const {peer, connection} = serve()
    peer.send(peer.open(1, {endStream: false}))
    await peer.settled()
    connection.close()
    peer.send(peer.open(3, {endStream: false}), data(3, 10), peer.open(3, {fields: []}))
    await peer.settled()
    expect(goaway(peer)).toMatchObject({lastStreamId: 1, code: 0})
    expect(peer.closed).toBe(false)
    peer.send(data(1, 2, true))
    await peer.settled()
    expect(received(peer, 1)).toEqual([2])
    expect(received(peer, 3)).toEqual([])
    expect(peer.closed).toBe(true)
  })

  test('fails all streams when the peer is gone', async () => {
    const {peer, connection, streams} = serve({onStream: () => new Promise(() => undefined)})
    peer.send(peer.open(1))
    await peer.settled()
    peer.socket.destroy()
    expect(await connection.ended).toMatchObject({by: 'peer'})
    expect(streams[0]?.failure).toMatchObject({by: 'connection'})
  })

  test('ends a connection that opens and resets streams faster than their work ends', async () => {
    const {peer, streams} = serve({maxConcurrentStreams: 10, onStream: () => new Promise(() => undefined)})
    for (let id = 1; id < 400; id += 2) peer.send(peer.open(id), {type: 'RST_STREAM', streamId: id, code: CANCEL})
    await peer.settled()
    expect(goaway(peer)).toMatchObject({code: ENHANCE_YOUR_CALM})
    expect(streams).toHaveLength(40)
  })

  test('lives on when a client opens and resets streams whose work ends', async () => {
    const {peer} = serve({maxConcurrentStreams: 10})
    for (let id = 1; id < 4000; id += 2) {
      peer.send(peer.open(id, {endStream: false}), {type: 'RST_STREAM', streamId: id, code: CANCEL})
      if (id % 40 === 1) await peer.settled()
    }
    await peer.settled()
    expect(goaway(peer)).toBeUndefined()
  })

  test('answers any number of pings when the answers are read', async () => {
    const {peer} = serve({maxOwed: 2000})
    const pings = Array.from({length: 100}, (): Frame => ({type: 'PING', ack: false, data: Buffer.alloc(8)}))
    for (let times = 0; times < 20; times++) {
      peer.send(...pings)
      await peer.settled()
    }
    expect(peer.frames.filter(({type}) => type === 'PING')).toHaveLength(2000)
  })

  test.each<[string, (peer: RawPeer) => Frame]>([
    ['PING', () => ({type: 'PING', ack: false, data: Buffer.alloc(8)})],
    ['SETTINGS', () => emptySettings],
    [
      'HEADERS that it refuses',
      (() => {
        let id = -1
        return (peer: RawPeer) => {
          id += 2
          return peer.open(id, {fields: []})
        }
      })(),
    ],
  ])('ends a connection that sends %s and does not read the answers', async (_, frame) => {
    const {peer, connection, socket} = serve({maxOwed: 50_000})
    peer.socket.pause()
    let ended = false
    void connection.ended.then(() => (ended = true))
    for (let times = 0; times < 200 && !ended; times++) {
      peer.send(...Array.from({length: 100}, () => frame(peer)))
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await connection.ended).toMatchObject({by: 'us', code: ENHANCE_YOUR_CALM})
    expect(socket.destroyed).toBe(true)
  })

  test('lets a body wait for a peer that does not read, however large the windows are', async () => {
    let written = 0
    const {peer} = serve({
      onStream: async (stream) => {
        stream.sendHeaders(ok)
        for (; written < 50; written++) await stream.write(Buffer.alloc(100_000))
        stream.end()
      },
    })
    await peer.settled()
    peer.socket.pause()
    peer.send(
      {type: 'SETTINGS', ack: false, values: [[4, 2 ** 31 - 1]]},
      {type: 'WINDOW_UPDATE', streamId: 0, increment: 2 ** 30},
      peer.open(1),
    )
    await peer.settled()
    expect(written).toBeLessThan(10)
    peer.socket.resume()
    await peer.settled()
    expect(received(peer, 1).reduce((sum, size) => sum + size, 0)).toBe(5_000_000)
  })
})
