// GOAWAY, whose number of a stream means another on the other side.
import {describe, expect, test} from 'vitest'
import {errorCodes} from '../../../src/http2/fault.ts'
import {requestFields} from '../../support/http2-raw-peer.ts'
import {rawRelay} from '../../support/raw-relay.ts'
import {call, data, goaway, said, status, taking, trailers} from '../../support/relay-frames.ts'

const {REFUSED_STREAM} = errorCodes

describe('relay()', () => {
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
})
