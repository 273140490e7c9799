// What is no HTTP/2, of either peer.
import {describe, expect, test} from 'vitest'
import {errorCodes} from '../../../src/http2/fault.ts'
import type {Frame} from '../../../src/http2/frame.ts'
import {type RawPeer, requestFields} from '../../support/http2-raw-peer.ts'
import {rawRelay} from '../../support/raw-relay.ts'
import {data, said, settings, status, taking} from '../../support/relay-frames.ts'

const {PROTOCOL_ERROR, CANCEL, FLOW_CONTROL_ERROR, STREAM_CLOSED, COMPRESSION_ERROR, FRAME_SIZE_ERROR} = errorCodes

describe('relay()', () => {
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

    test('leaves requests that are malformed to the server, and asks nobody what to do with them', async () => {
      const {taken, handleCall} = taking('/a.B/C')
      const {client, server, settled} = await rawRelay(handleCall)
      client.send(client.open(1, {fields: [...requestFields, {name: 'connection', value: 'close'}]}))
      client.send(client.open(3, {fields: requestFields.filter(({name}) => name !== ':method')}))
      client.send({...client.open(5), priority: {exclusive: false, dependsOn: 5, weight: 1}} as Frame)
      await settled()
      expect(said(server)).toMatchObject([{streamId: 1}, {streamId: 3}, {streamId: 5, priority: {dependsOn: 5}}])
      expect(taken).toEqual([])
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
