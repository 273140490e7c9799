// Many calls of all kinds at once, between peers of our own, which hold whoever they talk to to its windows.
import {setImmediate} from 'node:timers/promises'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {simulatedClock} from '../../../src/base/simulated-clock.ts'
import {type ClientConnection, openConnection} from '../../../src/http2/client-connection.ts'
import {errorCodes} from '../../../src/http2/fault.ts'
import type {HeaderField} from '../../../src/http2/header-field.ts'
import {type ServerStream, serveConnection} from '../../../src/http2/server-connection.ts'
import {StreamFailure} from '../../../src/http2/stream-failure.ts'
import type {CallEnding, CallHead, HandleCall} from '../../../src/proxy/relay/handling.ts'
import {relay} from '../../../src/proxy/relay/relay.ts'
import {bridge} from '../../support/bridge.ts'
import {requestFields} from '../../support/http2-raw-peer.ts'
import {memoryPair} from '../../support/memory-pair.ts'

const size = fc.oneof(fc.nat(40), fc.constantFrom(0, 16_384, 65_535, 65_536, 200_000, 700_000))
const call = fc.record({
  way: fc.constantFrom('pass', 'pass', 'watch', 'bridge', 'hold', 'make-up'),
  request: size,
  reply: size,
  /** Turns of the event loop: until it starts, is let go, is given up. */
  start: fc.nat(20),
  hold: fc.nat(30),
  givesUp: fc.option(fc.nat(30), {nil: undefined, freq: 3}),
  serverGivesUp: fc.option(fc.nat(30), {nil: undefined, freq: 5}),
  reads: fc.boolean(),
})
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never

const options = fc.record({
  streamWindow: fc.constantFrom(5000, 65_535, 1_000_000),
  connectionWindow: fc.constantFrom(65_535, 100_000, 4_000_000),
})

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await setImmediate()
}

const numberOf = (fields: readonly HeaderField[], name: string) => Number(fields.find((field) => field.name === name)?.value)
const bytesOf = (length: number, index: number) => Buffer.alloc(length, `call ${index} of many, `)
const all = async (stream: AsyncIterable<Uint8Array>) => {
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return Buffer.concat(pieces)
}
/** Of the bytes that are due, or what came in their place. */
const lengthOf = (came: Buffer, due: Buffer) => (came.equals(due) ? due.length : `other bytes, ${came.length}`)

async function ask(client: ClientConnection, one: Call, index: number): Promise<unknown> {
  await turns(one.start)
  const stream = await client.request([...requestFields, {name: 'x-call', value: `${index}`}])
  if (one.givesUp !== undefined) void turns(one.givesUp).then(() => stream.reset(errorCodes.CANCEL))
  void stream.write(bytesOf(one.request, index)).catch(() => undefined)
  stream.end([{name: 'x-end', value: `${index}`}])
  const response = await stream.response
  return {came: numberOf(response, 'x-came'), reply: lengthOf(await all(stream), bytesOf(one.reply, index)), trailers: stream.trailers}
}

async function answer(stream: ServerStream, index: number, one: Call): Promise<void> {
  if (one.serverGivesUp !== undefined) void turns(one.serverGivesUp).then(() => stream.reset(77))
  const came = lengthOf(await all(stream), bytesOf(one.request, index))
  expect(came).toBe(one.request)
  stream.sendHeaders([
    {name: ':status', value: '200'},
    {name: 'x-came', value: `${came}`},
  ])
  await stream.write(bytesOf(one.reply, index))
  stream.end(stream.trailers)
}

test('relay() brings all bytes of all calls, keeps to all windows and keeps nothing behind', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, {minLength: 1, maxLength: 20}),
      options,
      options,
      fc.constantFrom(1, 3, 250),
      fc.option(fc.nat(60), {nil: undefined, freq: 3}),
      fc.option(fc.nat(60), {nil: undefined, freq: 2}),
      async (calls, ofClient, ofServer, maxConcurrentStreams, closes, drains) => {
        const [clientSocket, ours] = memoryPair()
        const [theirs, serverSocket] = memoryPair()
        const wrong: unknown[] = []
        const begun = new Set<number>()
        const endings = new Map<number, CallEnding[]>()
        const server = serveConnection(serverSocket, {
          ...ofServer,
          maxConcurrentStreams,
          onStream: async (stream, fields) => {
            const index = numberOf(fields, 'x-call')
            const one = calls[index]
            if (!one) return
            begun.add(index)
            // What is reset from either side may not be whole.
            await answer(stream, index, one).catch((error) => stream.failure ?? wrong.push(error))
          },
        })
        const handleCall: HandleCall = ({fields}: CallHead) => {
          const index = numberOf(fields, 'x-call')
          const one = calls[index]
          const heard: CallEnding[] = []
          switch (one?.way) {
            case 'watch':
              endings.set(index, heard)
              return {kind: 'pass', watcher: {ended: (ending) => void heard.push(ending)}}
            case 'bridge':
              return {kind: 'take', take: (taken) => bridge(taken)}
            case 'hold':
              return {kind: 'take', take: (taken) => bridge(taken, () => turns(one.hold))}
            case 'make-up':
              return {
                kind: 'take',
                take: async ({client}) => {
                  if (one.reads) await answer(client, index, one)
                  else {
                    client.sendHeaders([{name: ':status', value: '200'}])
                    await client.write(bytesOf(one.reply, index))
                    client.end()
                  }
                },
              }
            default:
              return {kind: 'pass'}
          }
        }
        const pair = relay({client: ours, upstream: theirs, handleCall})
        const client = openConnection(clientSocket, ofClient)
        if (closes !== undefined) void turns(closes).then(() => server.close())
        // Nobody waits: that the client acknowledges must be enough.
        if (drains !== undefined) void turns(drains).then(() => pair.drain(simulatedClock(0)))
        await client.ready
        const answers = await Promise.allSettled(calls.map((one, index) => ask(client, one, index)))
        for (const [index, one] of calls.entries()) {
          const got = answers[index]
          const mayFail = one.givesUp !== undefined || one.serverGivesUp !== undefined || closes !== undefined
          if (got?.status === 'rejected') {
            const sendsAgain = drains !== undefined && got.reason instanceof StreamFailure && got.reason.unprocessed && !begun.has(index)
            if (!mayFail && !sendsAgain) wrong.push([index, one, got.reason])
            continue
          }
          const read = one.way !== 'make-up' || one.reads
          const trailers = read ? [{name: 'x-end', value: `${index}`}] : undefined
          expect(got?.value).toEqual({came: read ? one.request : Number.NaN, reply: one.reply, trailers})
        }
        expect(wrong).toEqual([])
        if (closes === undefined && drains === undefined) {
          await client.ping()
          await client.ping()
          expect([pair.active, server.active, client.goingAway]).toEqual([0, 0, false])
        }
        if (drains === undefined) client.destroy()
        expect([(await client.ended).code, (await server.ended).code]).toEqual([0, 0])
        await pair.ended
        for (const heard of endings.values()) expect(heard).toHaveLength(1)
        expect(pair.active).toBe(0)
      },
    ),
    {numRuns: 300},
  )
})
