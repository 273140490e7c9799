// PINGs of a client: which pass, and which would be held against it by a server that has long since sent what it still receives.
import {describe, expect, test} from 'vitest'
import type {Fault} from '../../../src/http2/fault.ts'
import type {Frame} from '../../../src/http2/frame.ts'
import {rawRelay} from '../../support/raw-relay.ts'
import {call, data, said, status, taking} from '../../support/relay-frames.ts'

const ping = (letter: string, ack = false): Frame => ({type: 'PING', ack, data: Buffer.alloc(8, letter)})
const pings = (frames: readonly (Fault | Frame)[]) =>
  frames.flatMap((frame) => (frame.type === 'PING' ? [`${frame.ack ? 'ack ' : ''}${`${frame.data}`[0]}`] : []))

describe('relay()', () => {
  test('passes PINGs of a client that receives nothing, as many as there are', async () => {
    const {client, server, settled} = await rawRelay()
    client.send(ping('a'), ping('b'), ping('c'))
    await settled()
    expect(pings(said(server))).toEqual(['a', 'b', 'c'])
    server.send(ping('a', true))
    await settled()
    expect(pings(said(client))).toEqual(['ack a'])
  })

  test('passes one for all that the server sent since it acknowledged the last, and acknowledges the others itself', async () => {
    const {client, server, settled} = await rawRelay()
    client.send(client.open(1, {fields: call('/passed'), endStream: true}))
    await settled()
    server.send(server.open(1, {fields: status, endStream: false}), data(1, 'x'))
    await settled()
    client.send(ping('a'))
    await settled()
    // As far as we know, both were written before the server heard of the first.
    server.send(data(1, 'y'))
    await settled()
    client.send(ping('b'))
    server.send(ping('a', true))
    await settled()
    expect([pings(said(server)), pings(said(client))]).toEqual([['a'], ['ack b', 'ack a']])
    server.send(data(1, 'z'))
    await settled()
    client.send(ping('c'))
    await settled()
    client.send(ping('d'))
    await settled()
    expect(pings(said(server))).toEqual(['a', 'c', 'd'])
  })

  test('acknowledges those of a client that it answers by itself, or whose calls all wait here', async () => {
    const {taken, handleCall} = taking('/held')
    const {client, server, settled} = await rawRelay(handleCall)
    client.send(client.open(1, {fields: call('/held'), endStream: true}))
    await settled()
    client.send(ping('a'))
    taken[0]?.client.sendHeaders(status)
    await settled()
    client.send(ping('b'))
    await settled()
    expect([pings(said(server)), pings(said(client))]).toEqual([[], ['ack a', 'ack b']])
  })
})
