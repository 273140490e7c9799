// What passes between two peers, frame by frame.
import {describe, expect, test} from 'vitest'
import {errorCodes} from '../../../src/http2/fault.ts'
import type {Frame} from '../../../src/http2/frame.ts'
import {clientPreface} from '../../../src/http2/preface.ts'
import {requestFields} from '../../support/http2-raw-peer.ts'
import {rawRelay} from '../../support/raw-relay.ts'
import {ack, call, data, goaway, said, settings, status, taking, trailers} from '../../support/relay-frames.ts'

const {PROTOCOL_ERROR, CANCEL, COMPRESSION_ERROR} = errorCodes

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

  test('passes what a server promises', async () => {
    const {client, server, settled} = await rawRelay()
    client.send(client.open(1))
    await settled()
    const promised = server.open(1)
    if (promised.type !== 'HEADERS') return
    server.send({type: 'PUSH_PROMISE', streamId: 1, promisedId: 2, endHeaders: true, fragment: promised.fragment})
    server.send(server.open(2, {fields: status, endStream: false}), data(2, 'pushed', true))
    await settled()
    expect(said(client)).toMatchObject([
      {type: 'PUSH_PROMISE', streamId: 1, promisedId: 2, endHeaders: true},
      {type: 'HEADERS', streamId: 2},
      data(2, 'pushed', true),
    ])
    server.send({type: 'PUSH_PROMISE', streamId: 1, promisedId: 2, endHeaders: true, fragment: Buffer.of()})
    await settled()
    expect(server.frames.at(-1)).toMatchObject({type: 'GOAWAY', code: PROTOCOL_ERROR})
  })

  test('passes unknown frames and PRIORITY_UPDATE under the other number, and those of streams that do not pass not at all', async () => {
    const {handleCall} = taking('/held')
    const {client, server, settled} = await rawRelay(handleCall)
    client.send(client.open(1, {fields: call('/held')}), client.open(3, {endStream: false}))
    const update = (id: number): Frame => ({type: 'UNKNOWN', kind: 0x10, flags: 0, streamId: 0, payload: Buffer.from([0, 0, 0, id, 0x75])})
    const unknown = (streamId: number): Frame => ({type: 'UNKNOWN', kind: 0xbe, flags: 1, streamId, payload: Buffer.from('x')})
    client.send(update(3), update(1), update(9), unknown(3), unknown(1), unknown(9))
    await settled()
    expect(said(server).slice(1)).toEqual([update(1), unknown(1)])
  })

  test('passes the priority of HEADERS, and blocks that are larger than a frame', async () => {
    const {client, server, settled} = await rawRelay()
    const fields = [...requestFields, ...Array.from({length: 10}, (_, at) => ({name: `x-${at}`, value: `${at}`.repeat(5000)}))]
    const whole = client.open(1, {fields})
    if (whole.type !== 'HEADERS') return
    const priority = {exclusive: false, dependsOn: 0, weight: 7}
    client.send(
      {...whole, endHeaders: false, fragment: whole.fragment.subarray(0, 16_000), priority},
      {type: 'CONTINUATION', streamId: 1, endHeaders: false, fragment: whole.fragment.subarray(16_000, 32_000)},
      {type: 'CONTINUATION', streamId: 1, endHeaders: false, fragment: whole.fragment.subarray(32_000, 48_000)},
      {type: 'CONTINUATION', streamId: 1, endHeaders: true, fragment: whole.fragment.subarray(48_000)},
    )
    await settled()
    const [head, ...rest] = said(server)
    expect(head).toMatchObject({type: 'HEADERS', endStream: true, endHeaders: false, priority})
    const fragments = [head, ...rest].map((frame) => (frame && 'fragment' in frame ? frame.fragment : Buffer.of()))
    const joined = {...whole, fragment: Buffer.concat(fragments)}
    expect(server.fields(joined)).toEqual(
      fields.map((field) => (field.name === ':authority' ? {name: ':authority', value: 'localhost'} : field)),
    )
  })

  test('goes by a smaller HEADER_TABLE_SIZE once it is acknowledged', async () => {
    const {client, server, settled} = await rawRelay()
    server.send(settings([1, 0]))
    client.send(ack)
    await settled()
    // An entry that goes into a table of no room, without the update that is due.
    const fragment = Buffer.from([0x40, 1, 0x78, 1, 0x79])
    client.send({type: 'HEADERS', streamId: 1, endStream: true, endHeaders: true, fragment: Buffer.from([0x3f, 0x01, ...fragment])})
    await settled()
    expect(client.frames.at(-1)).toMatchObject({type: 'GOAWAY', code: COMPRESSION_ERROR})
    expect(server.frames.some(({type}) => type === 'HEADERS')).toBe(false)
  })
})
