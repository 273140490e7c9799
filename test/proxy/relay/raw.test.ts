import {describe, expect, test} from 'vitest'
import {errorCodes} from '../../../src/http2/fault.ts'
import type {Frame} from '../../../src/http2/frame.ts'
import {clientPreface} from '../../../src/http2/preface.ts'
import type {HandleCall, TakenCall} from '../../../src/proxy/relay/handling.ts'
import {type RawPeer, requestFields} from '../../support/http2-raw-peer.ts'
import {rawRelay} from '../../support/raw-relay.ts'

const {PROTOCOL_ERROR, CANCEL, NO_ERROR, REFUSED_STREAM, FLOW_CONTROL_ERROR, STREAM_CLOSED, COMPRESSION_ERROR, FRAME_SIZE_ERROR} =
  errorCodes

const status = [{name: ':status', value: '200'}]
const trailers = [{name: 'grpc-status', value: '0'}]
const data = (streamId: number, text: string, endStream = false, padding?: number): Frame => ({
  type: 'DATA',
  streamId,
  endStream,
  data: Buffer.from(text),
  ...(padding === undefined ? {} : {padding}),
})
const settings = (...values: [number, number][]): Frame => ({type: 'SETTINGS', ack: false, values})
const ack: Frame = {type: 'SETTINGS', ack: true, values: []}
const goaway = (lastStreamId: number, code: number = NO_ERROR): Frame => ({type: 'GOAWAY', lastStreamId, code, debug: Buffer.from('why')})

/** Without what belongs to the start. */
const said = (peer: RawPeer) =>
  peer.frames.filter((frame) => !(frame.type === 'SETTINGS' || (frame.type === 'WINDOW_UPDATE' && frame.streamId === 0)))

/** Takes calls of these paths and leaves them to the test. */
function taking(...paths: string[]) {
  const taken: TakenCall[] = []
  const handleCall: HandleCall = ({path}) => (paths.includes(path) ? {kind: 'take', take: (call) => void taken.push(call)} : {kind: 'pass'})
  return {taken, handleCall}
}

const call = (path: string) => requestFields.map((field) => (field.name === ':path' ? {...field, value: path} : field))

describe('relay()', () => {
  test('passes SETTINGS and acknowledgements, PING, unknown frames and GOAWAY unchanged', async () => {
    const {client, server, settled} = await rawRelay()
    expect(server.frames.slice(0, 3)).toEqual([
      {type: 'SETTINGS', ack: false, values: []},
      {type: 'WINDOW_UPDATE', streamId: 0, increment: 16 * 1024 * 1024 - 65_535},
      ack,
    ])
    const ping = {type: 'PING', ack: false, data: Buffer.from('12345678')} as const
    const unknown = {type: 'UNKNOWN', kind: 0xbe, flags: 3, streamId: 0, payload: Buffer.from('abc')} as const
    const values = settings([1, 0], [3, 7], [4, 100], [5, 20_000], [0xf00, 9])
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      const before = to.frames.length
      from.send(values, ping, {...ping, ack: true}, unknown, goaway(0, 77))
      to.send(ack)
      await settled()
      expect(to.frames.slice(before)).toEqual([values, ping, {...ping, ack: true}, unknown, goaway(0, 77)])
      expect(from.frames.at(-1)).toEqual(ack)
    }
  })

  test('says nothing to a client before the server has said something', async () => {
    const {taken, handleCall} = taking('/a.B/C')
    const {client, server, settled} = await rawRelay(handleCall, {greets: false})
    client.send(clientPreface, settings(), client.open(1))
    await settled()
    expect(server.frames).toHaveLength(2)
    expect([client.frames, taken]).toEqual([[], []])
    server.send(settings([3, 5]))
    await settled()
    expect(client.frames[0]).toEqual(settings([3, 5]))
    expect(taken).toHaveLength(1)
  })

  test('passes HEADERS with localhost for an authority, and all else of a call unchanged', async () => {
    const {client, server, settled} = await rawRelay()
    for (const [index, authority] of ['/run/x.sock', '', undefined].entries()) {
      const id = 2 * index + 1
      const fields = [
        ...requestFields.filter(({name}) => name !== ':authority'),
        ...(authority === undefined ? [] : [{name: ':authority', value: authority}]),
        {name: 'x-a', value: '1', sensitive: true},
      ]
      client.send(client.open(id, {fields, endStream: false}), data(id, 'abc', false, 5), data(id, 'd', true))
      await settled()
      const [head, ...rest] = said(server).slice(-3)
      expect(head?.type === 'HEADERS' && server.fields(head)).toEqual(
        authority === undefined
          ? [...fields.slice(0, 3), {name: ':authority', value: 'localhost'}, ...fields.slice(3)]
          : fields.map((field) => (field.name === ':authority' ? {name: ':authority', value: 'localhost'} : field)),
      )
      expect(rest).toEqual([data(id, 'abc', false, 5), data(id, 'd', true)])
      server.send(
        server.open(id, {fields: [{name: ':status', value: '103'}], endStream: false}),
        server.open(id, {fields: status, endStream: false}),
        data(id, 'xyz', false, 0),
        {type: 'WINDOW_UPDATE', streamId: id, increment: 77},
        server.open(id, {fields: trailers}),
      )
      await settled()
      const answer = said(client).slice(-5)
      expect(answer.map((frame) => (frame.type === 'HEADERS' ? [frame.streamId, frame.endStream, client.fields(frame)] : frame))).toEqual([
        [id, false, [{name: ':status', value: '103'}]],
        [id, false, status],
        data(id, 'xyz', false, 0),
        {type: 'WINDOW_UPDATE', streamId: id, increment: 77},
        [id, true, trailers],
      ])
    }
  })

  test('leaves a reply of trailers only what it is', async () => {
    const {client, server, settled} = await rawRelay()
    client.send(client.open(1))
    await settled()
    server.send(server.open(1, {fields: [...status, ...trailers]}))
    await settled()
    const [answer] = said(client)
    expect(answer).toMatchObject({type: 'HEADERS', streamId: 1, endStream: true})
    expect(answer?.type === 'HEADERS' && client.fields(answer)).toEqual([...status, ...trailers])
  })

  test('holds call 1, passes call 2, then releases call 1: the server sees their HEADERS in the order in which they went up', async () => {
    const {taken, handleCall} = taking('/held')
    const {client, server, settled} = await rawRelay(handleCall)
    client.send(client.open(1, {fields: call('/held'), endStream: false}), data(1, 'one', true))
    client.send(client.open(3, {fields: call('/passed'), endStream: false}), data(3, 'two', true))
    await settled()
    const [held] = taken
    const up = await held?.open(held.head.fields)
    void up?.write((await held?.client.read()) ?? new Uint8Array())
    up?.end()
    await settled()
    const seen = said(server)
    const paths = seen.flatMap((frame) => (frame.type === 'HEADERS' ? [[frame.streamId, server.fields(frame).at(-1)?.value]] : []))
    expect(paths).toEqual([
      [1, '/passed'],
      [3, '/held'],
    ])
    expect(seen.filter(({type}) => type === 'DATA')).toEqual([data(1, 'two', true), data(3, 'one'), data(3, '', true)])
    server.send(server.open(3, {fields: status, endStream: false}), data(3, 'first'), server.open(3, {fields: trailers}))
    server.send(server.open(1, {fields: status, endStream: false}), data(1, 'second'), server.open(1, {fields: trailers}))
    held?.client.sendHeaders((await up?.response) ?? [])
    void held?.client.write((await up?.read()) ?? new Uint8Array())
    expect(await up?.read()).toBeUndefined()
    held?.client.end(up?.trailers)
    await settled()
    const answers = said(client).flatMap((frame) => (frame.type === 'DATA' ? [[frame.streamId, `${frame.data}`]] : []))
    expect(new Map(answers as [number, string][])).toEqual(
      new Map([
        [1, 'first'],
        [3, 'second'],
      ]),
    )
    expect(said(client).filter((frame) => frame.type === 'HEADERS' && frame.endStream)).toHaveLength(2)
  })

  test('maps RST_STREAM, WINDOW_UPDATE and PRIORITY both ways when numbers differ', async () => {
    const {handleCall} = taking('/held')
    const {client, server, settled} = await rawRelay(handleCall)
    const priority = {exclusive: true, dependsOn: 3, weight: 9}
    client.send(client.open(1, {fields: call('/held')}), client.open(3, {endStream: false}), client.open(5, {endStream: false}))
    client.send({type: 'WINDOW_UPDATE', streamId: 5, increment: 9}, {type: 'PRIORITY', streamId: 5, priority}, data(5, 'x'))
    client.send({type: 'RST_STREAM', streamId: 3, code: CANCEL})
    await settled()
    expect(said(server).slice(2)).toEqual([
      {type: 'WINDOW_UPDATE', streamId: 3, increment: 9},
      {type: 'PRIORITY', streamId: 3, priority: {...priority, dependsOn: 1}},
      data(3, 'x'),
      {type: 'RST_STREAM', streamId: 1, code: CANCEL},
    ])
    server.send({type: 'WINDOW_UPDATE', streamId: 3, increment: 8}, {type: 'RST_STREAM', streamId: 3, code: 99})
    await settled()
    expect(said(client)).toEqual([
      {type: 'WINDOW_UPDATE', streamId: 5, increment: 8},
      {type: 'RST_STREAM', streamId: 5, code: 99},
    ])
  })

  describe('GOAWAY', () => {
    test('names the last of the client’s streams that the server has begun with, and refuses those below', async () => {
      const {taken, handleCall} = taking('/held')
      const {client, server, settled} = await rawRelay(handleCall)
      // The client's 1, 3, 5, 7 are the server's 7, 1, 3, 5.
      client.send(client.open(1, {fields: call('/held')}))
      await settled()
      client.send(client.open(3), client.open(5), client.open(7))
      await settled()
      const up = await taken[0]?.open(requestFields)
      server.send(goaway(1))
      await settled()
      expect(said(client)).toEqual([goaway(3)])
      await expect(up?.response).rejects.toMatchObject({by: 'connection', unprocessed: true})
      await expect(taken[0]?.open(requestFields)).rejects.toMatchObject({unprocessed: true})
      // What crossed it counts for nothing.
      client.send(client.open(9, {endStream: false}), data(9, 'x', true))
      server.send(server.open(1, {fields: [...status, ...trailers]}))
      await settled()
      expect(said(server).filter(({type}) => type === 'HEADERS')).toHaveLength(4)
      expect(said(client).at(-1)).toMatchObject({type: 'HEADERS', streamId: 3})
    })

    test('refuses a stream whose number is below one that the server has begun with', async () => {
      const {taken, handleCall} = taking('/held')
      const {client, server, settled} = await rawRelay(handleCall)
      client.send(client.open(1, {fields: call('/held')}), client.open(3), client.open(5), client.open(7, {fields: call('/held')}))
      await settled()
      server.send(goaway(1))
      await settled()
      expect(taken).toHaveLength(2)
      expect(said(client)).toEqual([goaway(7), {type: 'RST_STREAM', streamId: 5, code: REFUSED_STREAM}])
    })

    test('passes unchanged when it only announces another', async () => {
      const {client, server, settled} = await rawRelay()
      client.send(client.open(1))
      await settled()
      server.send(goaway(2 ** 31 - 1))
      client.send(client.open(3))
      await settled()
      server.send(goaway(3))
      await settled()
      expect(said(client)).toEqual([goaway(2 ** 31 - 1), goaway(3)])
      expect(said(server)).toHaveLength(2)
    })
  })

  describe('at a client’s fault', () => {
    const twice = {type: 'HEADERS', streamId: 1, endStream: true, endHeaders: true} as const
    test.each<[string, number, (client: RawPeer) => Frame[]]>([
      ['DATA of a stream that nobody opened', PROTOCOL_ERROR, () => [data(3, 'x')]],
      ['RST_STREAM of one', PROTOCOL_ERROR, () => [{type: 'RST_STREAM', streamId: 3, code: 0}]],
      ['WINDOW_UPDATE of one', PROTOCOL_ERROR, () => [{type: 'WINDOW_UPDATE', streamId: 3, increment: 1}]],
      ['an even number', PROTOCOL_ERROR, (client) => [client.open(2)]],
      ['a number that was passed over', PROTOCOL_ERROR, (client) => [client.open(7), client.open(5)]],
      ['a block that is none', COMPRESSION_ERROR, () => [{...twice, streamId: 3, fragment: Buffer.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff)}]],
      ['CONTINUATION of nothing', PROTOCOL_ERROR, () => [{type: 'CONTINUATION', streamId: 1, endHeaders: true, fragment: Buffer.of()}]],
      [
        'a frame in the middle of a block',
        PROTOCOL_ERROR,
        () => [{...twice, streamId: 3, endHeaders: false, fragment: Buffer.of()}, data(1, 'x')],
      ],
      ['a frame that is too large', FRAME_SIZE_ERROR, () => [data(1, 'x'.repeat(16_385))]],
      ['PUSH_PROMISE', PROTOCOL_ERROR, () => [{type: 'PUSH_PROMISE', streamId: 1, promisedId: 2, endHeaders: true, fragment: Buffer.of()}]],
      [
        'a window of the connection that is too large',
        FLOW_CONTROL_ERROR,
        () => [{type: 'WINDOW_UPDATE', streamId: 0, increment: 2 ** 31 - 1}],
      ],
      ['SETTINGS that are wrong', PROTOCOL_ERROR, () => [settings([5, 1])]],
    ])('%s ends both connections', async (_, code, frames) => {
      const {client, server, pair, settled} = await rawRelay()
      client.send(client.open(1, {endStream: false}))
      client.send(...frames(client))
      await settled()
      expect(client.frames.at(-1)).toMatchObject({type: 'GOAWAY', code})
      expect([client.closed, server.closed]).toEqual([true, true])
      client.socket.end()
      server.socket.end()
      expect(await pair.ended).toMatchObject({side: 'client'})
    })

    test.each<[string, number, Frame]>([
      ['PRIORITY of another size', FRAME_SIZE_ERROR, {type: 'UNKNOWN', kind: 2, flags: 0, streamId: 1, payload: Buffer.alloc(4)}],
      ['WINDOW_UPDATE of nothing', PROTOCOL_ERROR, {type: 'UNKNOWN', kind: 8, flags: 0, streamId: 1, payload: Buffer.alloc(4)}],
    ])('%s ends the stream on both sides', async (_, code, frame) => {
      const {client, server, settled} = await rawRelay()
      client.send(client.open(1, {endStream: false}), frame, data(1, 'late'))
      await settled()
      expect(client.frames.at(-1)).toEqual({type: 'RST_STREAM', streamId: 1, code})
      expect(server.frames.at(-1)).toEqual({type: 'RST_STREAM', streamId: 1, code: CANCEL})
      server.send(server.open(1, {fields: status}), {type: 'PING', ack: true, data: Buffer.alloc(8)})
      await settled()
      expect(
        said(client)
          .slice(-2)
          .map(({type}) => type),
      ).toEqual(['RST_STREAM', 'PING'])
    })

    test('answers a stream that depends on itself, and passes what else it says of priorities of streams to come over', async () => {
      const {client, server, settled} = await rawRelay()
      const priority = {exclusive: false, dependsOn: 2, weight: 1}
      client.send({type: 'PRIORITY', streamId: 4, priority}, {type: 'PRIORITY', streamId: 2, priority})
      await settled()
      expect(said(client)).toEqual([{type: 'RST_STREAM', streamId: 2, code: PROTOCOL_ERROR}])
      expect(said(server)).toEqual([])
    })

    test('passes frames of a stream that is over, so that the server answers them', async () => {
      const {client, server, settled} = await rawRelay()
      client.send(client.open(1))
      await settled()
      server.send(server.open(1, {fields: status}))
      await settled()
      client.send(data(1, 'x'), client.open(1))
      await settled()
      expect(said(server).slice(1)).toMatchObject([data(1, 'x'), {type: 'HEADERS', streamId: 1}])
      server.send({type: 'RST_STREAM', streamId: 1, code: STREAM_CLOSED})
      await settled()
      expect(client.frames.at(-1)).toEqual({type: 'RST_STREAM', streamId: 1, code: STREAM_CLOSED})
    })
  })

  test('at a server’s fault ends both, and tells the client why', async () => {
    const {client, server, pair, settled} = await rawRelay()
    client.send(client.open(1))
    await settled()
    server.send(data(9, 'x'))
    await settled()
    expect(server.frames.at(-1)).toMatchObject({type: 'GOAWAY', code: PROTOCOL_ERROR})
    expect(client.frames.at(-1)).toMatchObject({type: 'GOAWAY', lastStreamId: 1})
    expect([client.closed, server.closed]).toEqual([true, true])
    client.socket.end()
    server.socket.end()
    expect(await pair.ended).toMatchObject({side: 'server'})
  })

  test('hears no more of a client that speaks no HTTP/2', async () => {
    const {client, server, settled} = await rawRelay(undefined, {greets: false})
    client.send(Buffer.from('GET / HTTP/1.1\r\n\r\n'))
    await settled()
    expect([client.closed, server.closed, server.frames]).toEqual([true, true, []])
  })
})
