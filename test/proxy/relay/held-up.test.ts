// Answers that a window holds up.
import {setImmediate} from 'node:timers/promises'
import {describe, expect, test} from 'vitest'
import {errorCodes} from '../../../src/http2/fault.ts'
import type {Frame} from '../../../src/http2/frame.ts'
import {writeFrame} from '../../../src/http2/write-frame.ts'
import {rawRelay} from '../../support/raw-relay.ts'
import {ack, data, said, settings, status, trailers} from '../../support/relay-frames.ts'

const {CANCEL, NO_ERROR} = errorCodes

describe('relay()', () => {
  describe('when a window holds up an answer', () => {
    const filled = async (code: number, ...behind: Frame[]) => {
      const {client, server, settled} = await rawRelay()
      client.send(client.open(1), client.open(3, {endStream: false}), settings([4, 1_000_000]))
      server.send(ack)
      await settled()
      const part: Frame = {type: 'DATA', streamId: 1, endStream: false, data: Buffer.alloc(16_000)}
      server.send(server.open(1, {fields: status, endStream: false}), part, part, part, part, part, ...behind)
      server.send({type: 'RST_STREAM', streamId: 1, code})
      await settled()
      const before = client.frames.length
      client.send({type: 'WINDOW_UPDATE', streamId: 0, increment: 100_000})
      await settled()
      return {last: client.frames[before - 1], behind: client.frames.slice(before), client, server, settled}
    }

    test('RST_STREAM behind its end waits for it', async () => {
      const {behind} = await filled(NO_ERROR, data(1, 'end', true))
      expect(behind).toMatchObject([{type: 'DATA', endStream: false}, data(1, 'end', true), {type: 'RST_STREAM', code: NO_ERROR}])
    })

    test('RST_STREAM in its middle does not', async () => {
      const {last, behind} = await filled(CANCEL)
      expect(last).toEqual({type: 'RST_STREAM', streamId: 1, code: CANCEL})
      expect(behind).toEqual([])
    })

    test('trailers wait for it, and another stream takes its turn', async () => {
      const {client, server, settled} = await rawRelay()
      client.send(client.open(1), client.open(3), settings([4, 1_000_000]))
      server.send(ack)
      await settled()
      const part = (streamId: number): Frame => ({type: 'DATA', streamId, endStream: false, data: Buffer.alloc(16_000, streamId)})
      server.send(server.open(1, {fields: status, endStream: false}), ...Array(8).fill(part(1)), server.open(1, {fields: trailers}))
      server.send(server.open(3, {fields: status, endStream: false}), part(3), server.open(3, {fields: trailers}))
      await settled()
      const before = client.frames.length
      client.send({type: 'WINDOW_UPDATE', streamId: 0, increment: 100_000})
      await settled()
      const order = client.frames.slice(before).map((frame) => `${frame.type} ${'streamId' in frame ? frame.streamId : ''}`)
      expect(order.indexOf('DATA 3')).toBeLessThan(2)
      expect(order.slice(order.indexOf('DATA 3')).filter((each) => each === 'DATA 1').length).toBeGreaterThan(0)
      expect(order.at(-1)).toBe('HEADERS 1')
      expect(order).toContain('HEADERS 3')
    })
  })

  test('reads a server that does not read, as that one may have to be read first, and not the client that floods it', async () => {
    const {client, server, settled} = await rawRelay()
    client.send(client.open(1))
    await settled()
    server.socket.pause()
    const pings = Buffer.concat(Array<Buffer>(4000).fill(writeFrame({type: 'PING', ack: false, data: Buffer.alloc(8)})))
    for (let sent = 0; sent < 3 * 1024 * 1024; sent += pings.length) {
      client.send(pings)
      await setImmediate()
    }
    expect(client.socket.writableLength).toBeGreaterThan(1024 * 1024)
    server.send(server.open(1, {fields: status, endStream: false}))
    for (let count = 0; count < 3; count++) {
      await settled()
      server.send(data(1, 'x'))
    }
    await settled()
    expect(said(client)).toHaveLength(4)
    server.socket.resume()
    await settled()
    expect(client.socket.writableLength).toBe(0)
  })
})
