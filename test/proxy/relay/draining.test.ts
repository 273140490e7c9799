// A client that is told to connect anew, frame by frame.
import {describe, expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import type {Frame} from '../../../src/http2/frame.ts'
import {type RawPeer, requestFields} from '../../support/http2-raw-peer.ts'
import {rawRelay} from '../../support/raw-relay.ts'
import {call, data, goaway, said, status, taking, trailers} from '../../support/relay-frames.ts'

const notYet = 2 ** 31 - 1
const ping = (text: string, ack = false): Frame => ({type: 'PING', ack, data: Buffer.from(text)})
const own = ping('limbo?\r\n')
const proxyEnds = (lastStreamId: number) => ({...goaway(lastStreamId), debug: Buffer.from('the proxy ends')})

async function draining(handleCall = taking().handleCall) {
  const clock = simulatedClock(0)
  const one = await rawRelay(handleCall)
  const {client, pair, settled} = one
  /** Acknowledges as many of our PINGs. */
  const acknowledge = async (count: number) => {
    for (let at = 0; at < count; at++) {
      client.send({...own, ack: true} as Frame)
      await settled()
    }
  }
  const drain = async () => {
    pair.drain(clock)
    await settled()
  }
  return {...one, clock, drain, acknowledge}
}

const answered = (server: RawPeer, streamId: number) => [
  server.open(streamId, {fields: status, endStream: false}),
  data(streamId, 'x'),
  server.open(streamId, {fields: trailers}),
]

describe('relay().drain()', () => {
  test('says nothing else until all that was said before has been heard, then GOAWAY in two steps, and ends behind the last answer', async () => {
    const {client, server, pair, settled, drain, acknowledge} = await draining()
    client.send(client.open(1), client.open(3))
    await settled()
    await drain()
    server.send(...answered(server, 1))
    await settled()
    expect(said(client)).toEqual([own])
    await acknowledge(2)
    // It had begun before it heard of anything.
    client.send(client.open(5))
    await settled()
    expect(said(client)).toEqual([own, own, own])
    await acknowledge(1)
    expect(said(client).slice(3)).toEqual([proxyEnds(notYet), own])
    client.send(client.open(7))
    await acknowledge(1)
    expect(said(client).slice(5)).toMatchObject([
      {type: 'HEADERS', streamId: 1},
      {type: 'DATA', streamId: 1},
      {type: 'HEADERS', streamId: 1, endStream: true},
      proxyEnds(7),
    ])
    // What comes now its client sends again elsewhere.
    client.send(client.open(9))
    server.send(...answered(server, 3), ...answered(server, 5))
    await settled()
    expect([pair.active, client.closed, server.closed]).toEqual([1, false, false])
    server.send(...answered(server, 7))
    await settled()
    expect(said(client).at(-1)).toMatchObject({type: 'HEADERS', streamId: 7, endStream: true})
    expect(said(server).filter(({type}) => type === 'HEADERS')).toHaveLength(4)
    expect([client.closed, server.closed]).toEqual([true, true])
    expect(await pair.ended).toEqual({side: 'proxy', reason: 'the proxy ends'})
    expect(said(server).some(({type}) => type === 'PING')).toBe(false)
  })

  test('lets PINGs pass that are not its own, also one of a server with the same word', async () => {
    const {client, server, settled, drain, acknowledge} = await draining()
    client.send(client.open(1))
    server.send(own)
    await settled()
    await drain()
    server.send(ping('of other'))
    client.send({...own, ack: true} as Frame)
    await settled()
    expect(said(server).filter(({type}) => type === 'PING')).toEqual([{...own, ack: true}])
    await acknowledge(4)
    client.send(ping('of other', true), ping('clients.'))
    await settled()
    expect(said(server).filter(({type}) => type === 'PING')).toEqual([{...own, ack: true}, ping('of other', true), ping('clients.')])
    expect(said(client)).toContainEqual(proxyEnds(1))
  })

  test('does not wait for a client that acknowledges nothing', async () => {
    const {client, server, pair, settled, drain, clock} = await draining()
    client.send(client.open(1))
    await settled()
    await drain()
    server.send(...answered(server, 1))
    await settled()
    await clock.run(100)
    await settled()
    expect(said(client).slice(0, 3)).toEqual([own, proxyEnds(notYet), own])
    await clock.run(1000)
    await settled()
    expect(said(client).slice(3)).toMatchObject([{streamId: 1}, {streamId: 1}, {streamId: 1, endStream: true}, proxyEnds(1)])
    await pair.ended
  })

  test('ends a connection without calls, and one whose server says nothing', async () => {
    const idle = await draining()
    await idle.drain()
    await idle.acknowledge(4)
    expect(said(idle.client).at(-1)).toEqual(proxyEnds(0))
    expect((await idle.pair.ended).side).toBe('proxy')
    const silent = await rawRelay(undefined, {greets: false})
    const clock = simulatedClock(0)
    silent.pair.drain(clock)
    await clock.run(1000)
    expect((await silent.pair.ended).side).toBe('proxy')
    expect(silent.client.frames).toEqual([])
  })

  test('never names a stream above what the server’s own GOAWAY said, before it and behind it', async () => {
    const {client, server, settled, drain, acknowledge} = await draining()
    client.send(client.open(1), client.open(3))
    await settled()
    server.send(goaway(1))
    await settled()
    await drain()
    await acknowledge(4)
    server.send(goaway(notYet), goaway(1))
    await settled()
    const named = said(client).flatMap((frame) => (frame.type === 'GOAWAY' ? [frame.lastStreamId] : []))
    expect(named).toEqual([1, 1, 1, 1])
    const other = await draining()
    other.client.send(other.client.open(1), other.client.open(3))
    await other.settled()
    await other.drain()
    other.server.send(goaway(notYet))
    await other.acknowledge(3)
    other.server.send(goaway(1))
    await other.acknowledge(1)
    const all = said(other.client).flatMap((frame) => (frame.type === 'GOAWAY' ? [frame.lastStreamId] : []))
    expect(all).toEqual([notYet, 1, 1])
  })

  test('waits for the calls that somebody took, until both their ends are over', async () => {
    const {taken, handleCall} = taking('/held')
    const {client, server, pair, settled, drain, acknowledge} = await draining(handleCall)
    client.send(client.open(1, {fields: call('/held')}))
    await settled()
    await drain()
    await acknowledge(4)
    const up = await taken[0]?.open(requestFields, {outlives: true})
    up?.end()
    taken[0]?.client.sendHeaders(status, {endStream: true})
    await settled()
    expect([client.closed, pair.active]).toEqual([false, 1])
    server.send(server.open(1, {fields: [...status, ...trailers]}))
    await up?.response
    await settled()
    expect([client.closed, server.closed]).toEqual([true, true])
    await pair.ended
  })
})
