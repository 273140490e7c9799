// Calls that are held, frame by frame.
import {describe, expect, test} from 'vitest'
import {errorCodes} from '../../../src/http2/fault.ts'
import {writeFrame} from '../../../src/http2/write-frame.ts'
import {requestFields} from '../../support/http2-raw-peer.ts'
import {rawRelay} from '../../support/raw-relay.ts'
import {ack, call, data, said, settings, status, taking, trailers} from '../../support/relay-frames.ts'

const {NO_ERROR} = errorCodes

describe('relay()', () => {
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

  test('goes by INITIAL_WINDOW_SIZE for calls that are taken, and widens small ones', async () => {
    const {taken, handleCall} = taking('/held')
    const {client, server, settled} = await rawRelay(handleCall)
    client.send(settings([4, 5]))
    server.send(ack, settings([4, 10]))
    client.send(ack)
    await settled()
    client.send(client.open(1, {fields: call('/held'), endStream: false}))
    await settled()
    expect(said(client)).toEqual([{type: 'WINDOW_UPDATE', streamId: 1, increment: 65_525}])
    taken[0]?.client.sendHeaders(status)
    void taken[0]?.client.write(Buffer.alloc(20, 'x'))
    await settled()
    expect(said(client).at(-1)).toEqual(data(1, 'xxxxx'))
    client.send(settings([4, 8]))
    await settled()
    // The server has not acknowledged it.
    expect(said(client).at(-1)).toEqual(data(1, 'xxxxx'))
    server.send(ack)
    await settled()
    expect(said(client).at(-1)).toEqual(data(1, 'xxx'))
    client.send({type: 'WINDOW_UPDATE', streamId: 1, increment: 100})
    await settled()
    expect(said(client).at(-1)).toEqual(data(1, 'x'.repeat(12)))
  })

  test('reads on for a call that outlives its client, whatever else the server says', async () => {
    const {taken, handleCall} = taking('/held')
    const {client, server, settled} = await rawRelay(handleCall)
    client.send(client.open(1, {fields: call('/held')}))
    await settled()
    const up = await taken[0]?.open(requestFields, {endStream: true, outlives: true})
    client.socket.end()
    await settled()
    client.socket.destroy()
    const ping = writeFrame({type: 'PING', ack: false, data: Buffer.alloc(8)})
    for (let part = 0; part < 20; part++) server.send(Buffer.concat(Array(5000).fill(ping)))
    server.send(server.open(1, {fields: status}))
    await settled()
    expect(await up?.response).toEqual(status)
    await settled()
    expect(server.frames.at(-1)).toMatchObject({type: 'GOAWAY', code: NO_ERROR})
    expect(server.closed).toBe(true)
  })
})
