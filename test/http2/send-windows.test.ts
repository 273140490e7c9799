// Whatever a peer does to the windows: never a byte more than it allowed, and in the end all of them.
import fc from 'fast-check'
import {expect, test} from 'vitest'
import type {Frame} from '../../src/http2/frame.ts'
import {serveConnection} from '../../src/http2/server-connection.ts'
import {rawPeer} from '../support/http2-raw-peer.ts'

const ids = [1, 3, 5]

type Act = {readonly act: 'settings' | 'connection' | 'stream' | 'wait'; readonly amount: number; readonly id: number}

/** The peer's own books. What it gives counts from when it says so, what it takes back once SETTINGS are acknowledged. */
function books(sizes: readonly number[]) {
  const {peer, other} = rawPeer('client')
  serveConnection(other, {
    onStream: (stream) => {
      stream.sendHeaders([{name: ':status', value: '200'}])
      stream.write(Buffer.alloc(sizes[ids.indexOf(stream.id)] ?? 0)).catch(() => undefined)
      stream.end()
    },
  })
  let initial = 65_535
  let connection = 65_535
  const streams = new Map(ids.map((id) => [id, 65_535]))
  /** Of each SETTINGS that is not acknowledged; the first are the greeting's. */
  const takes = [0]
  let seen = 0
  const add = (bytes: number) => {
    for (const [id, window] of streams) streams.set(id, window + bytes)
  }
  return {
    peer,
    settings: (size: number) => {
      const change = size - initial
      initial = size
      add(Math.max(0, change))
      takes.push(Math.min(0, change))
      peer.send({type: 'SETTINGS', ack: false, values: [[4, size]]})
    },
    give: (id: number, increment: number) => {
      if (id === 0) connection += increment
      else streams.set(id, (streams.get(id) ?? 0) + increment)
      peer.send({type: 'WINDOW_UPDATE', streamId: id, increment})
    },
    check: () => {
      for (const frame of peer.frames.slice(seen)) {
        if (frame.type === 'SETTINGS' && frame.ack) add(takes.shift() ?? 0)
        if (frame.type !== 'DATA') continue
        expect(frame.data.length).toBeLessThanOrEqual(16_384)
        connection -= frame.data.length
        const window = (streams.get(frame.streamId) ?? 0) - frame.data.length
        streams.set(frame.streamId, window)
        if (frame.data.length > 0) expect(Math.min(window, connection)).toBeGreaterThanOrEqual(0)
      }
      seen = peer.frames.length
    },
  }
}

const act: fc.Arbitrary<Act> = fc.record({
  act: fc.constantFrom('settings', 'connection', 'stream', 'wait'),
  amount: fc.oneof(fc.integer({min: 1, max: 50}), fc.integer({min: 1, max: 60_000})),
  id: fc.constantFrom(...ids),
})

test('serveConnection() sends within the windows, whatever becomes of them, and all of it', async () => {
  const sizes = fc.tuple(...ids.map(() => fc.oneof(fc.nat(100), fc.nat(200_000))))
  await fc.assert(
    fc.asyncProperty(sizes, fc.array(act, {maxLength: 25}), async (bodies, acts) => {
      const {peer, settings, give, check} = books(bodies)
      peer.send(...ids.map((id) => peer.open(id)))
      for (const {act, amount, id} of acts) {
        if (act === 'settings') settings(amount - 1)
        if (act === 'connection') give(0, amount)
        if (act === 'stream') give(id, amount)
        if (act === 'wait') await peer.settled()
        check()
      }
      await peer.settled()
      check()
      settings(1_000_000)
      give(0, 1_000_000)
      await peer.settled()
      check()
      const ofStream = (id: number) =>
        peer.frames.filter((frame): frame is Frame & {type: 'DATA'} => frame.type === 'DATA' && frame.streamId === id)
      expect(ids.map((id) => ofStream(id).reduce((sum, {data}) => sum + data.length, 0))).toEqual(bodies)
      expect(
        ids.map((id) =>
          ofStream(id)
            .map(({endStream}) => endStream)
            .indexOf(true),
        ),
      ).toEqual(ids.map((id) => ofStream(id).length - 1))
      peer.socket.destroy()
    }),
    {numRuns: 150},
  )
})
