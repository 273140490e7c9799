// A client, our proxy and a server in this process, over pairs of streams in memory, so that all of it can run on the simulated clock.
import {duplexPair} from 'node:stream'
import {setImmediate as turn} from 'node:timers/promises'
import {create, type DescMessage, fromBinary, type MessageInitShape, type MessageShape, toBinary} from '@bufbuild/protobuf'
import {onTestFinished} from 'vitest'
import {type SimulatedClock, simulatedClock} from '../../src/base/simulated-clock.ts'
import type {Rule} from '../../src/faults/rule.ts'
import {type ClientConnection, type ClientStream, openConnection} from '../../src/http2/client-connection.ts'
import {fieldValue, type HeaderField} from '../../src/http2/header-field.ts'
import {type ServerConnection, type ServerStream, serveConnection} from '../../src/http2/server-connection.ts'
import {callHandler} from '../../src/proxy/call/call-handler.ts'
import type {CalledMessages} from '../../src/proxy/call/called-messages.ts'
import type {KeptLimits} from '../../src/proxy/call/message/kept-body.ts'
import {frameMessage, MessageSplitter} from '../../src/proxy/call/message/message-splitter.ts'
import {statusFields} from '../../src/proxy/call/message/status-fields.ts'
import {type NameIndex, nameIndex} from '../../src/proxy/call/names/name-index.ts'
import {ruleBook} from '../../src/proxy/call/rule-book.ts'
import type {TracedCall} from '../../src/proxy/call/traced-call.ts'
import {relay} from '../../src/proxy/relay/relay.ts'

/** What a server saw of a call. */
export interface SeenCall {
  readonly path: string
  readonly fields: readonly HeaderField[]
  readonly at: number
  body: Uint8Array
  trailers: readonly HeaderField[] | undefined
  /** The code of its reset, once it came. */
  reset: number | undefined
  readonly stream: ServerStream
}

export interface ProxiedOptions {
  readonly rules?: readonly Rule[]
  /** Its request has been read when it is asked. */
  readonly serve: (call: SeenCall, clock: SimulatedClock) => void | Promise<void>
  readonly traced?: boolean
  readonly decodeAll?: boolean
  readonly names?: NameIndex
  /** Messages are kept. */
  readonly limits?: KeptLimits
}

const start = Date.UTC(2026, 0, 1)

export function proxied({rules = [], serve, traced = true, decodeAll = false, names = nameIndex(), limits}: ProxiedOptions) {
  const clock = simulatedClock(start, manyTurns)
  const book = ruleBook({rules, seed: 1, clock})
  const seen: SeenCall[] = []
  const calls: TracedCall[] = []
  const told: CalledMessages[] = []
  const held = {bytes: 0}
  const ending = new AbortController()
  const healed = new AbortController()
  let connections = 0
  let ids = 0
  const underWay = {clients: 0, server: 0}
  const dialed: ClientConnection[] = []
  const servers: ServerConnection[] = []

  const upstream = () => {
    const [ours, theirs] = duplexPair({allowHalfOpen: true})
    servers.push(serveConnection(theirs, {onStream: (stream, fields) => serveOne(stream, fields)}))
    return ours
  }
  const serveOne = async (stream: ServerStream, fields: readonly HeaderField[]) => {
    const call: SeenCall = {
      path: fieldValue(fields, ':path') ?? '',
      fields,
      at: clock.now() - start,
      body: new Uint8Array(0),
      trailers: undefined,
      reset: undefined,
      stream,
    }
    stream.signal.addEventListener('abort', () => {
      call.reset ??= stream.failure?.code
    })
    seen.push(call)
    try {
      const pieces: Uint8Array[] = []
      for await (const piece of stream) pieces.push(piece)
      call.body = joined(pieces)
      call.trailers = stream.trailers
    } catch {
      return
    }
    await serve(call, clock)
  }
  const connect = (): ClientConnection => {
    const [ours, theirs] = duplexPair({allowHalfOpen: true})
    const handleCall = callHandler({
      book,
      clock,
      names,
      decodeAll,
      connection: ++connections,
      underWay,
      nextId: () => ++ids,
      signal: ending.signal,
      healed: healed.signal,
      dial: async () => {
        const connection = openConnection(upstream())
        dialed.push(connection)
        return connection
      },
      ...(limits === undefined ? {} : {keep: {limits, held, onMessages: (messages: CalledMessages) => void told.push(messages)}}),
      ...(traced ? {onCall: (call: TracedCall) => void calls.push(call)} : {}),
    })
    const one = relay({client: theirs, upstream: upstream(), handleCall})
    const client = openConnection(ours)
    onTestFinished(() => {
      client.destroy()
      one.destroy('the test is over')
      for (const each of dialed) each.destroy()
    })
    return client
  }
  return {
    clock,
    book,
    seen,
    calls,
    told,
    held,
    underWay,
    names,
    connect,
    end: () => ending.abort(),
    heal: () => {
      book.pause(true)
      healed.abort()
    },
    endServers: () => {
      for (const server of servers) server.destroy()
    },
    run: (ms: number) => clock.run(start + ms),
  }
}

/** Streams in memory take some turns of the loop for what sockets take none. */
async function manyTurns(): Promise<void> {
  for (let turns = 0; turns < 30; turns++) await turn()
}

/** A Buffer of the same bytes is no equal. */
const joined = (pieces: readonly Uint8Array[]) => new Uint8Array(Buffer.concat(pieces))

export interface Asked {
  readonly fields?: readonly HeaderField[]
  readonly body?: Uint8Array
  readonly trailers?: readonly HeaderField[]
}

export function fieldsFor(path: string, fields: readonly HeaderField[] = []): HeaderField[] {
  return [
    {name: ':method', value: 'POST'},
    {name: ':scheme', value: 'http'},
    {name: ':path', value: path},
    {name: ':authority', value: '/csi/csi.sock'},
    {name: 'content-type', value: 'application/grpc'},
    {name: 'te', value: 'trailers'},
    ...fields,
  ]
}

export async function send(client: ClientConnection, path: string, {fields = [], body = framed(new Uint8Array(0)), trailers}: Asked = {}) {
  const stream = await client.request(fieldsFor(path, fields))
  stream.write(body).catch(() => undefined)
  stream.end(trailers)
  return stream
}

export interface Got {
  readonly first: readonly HeaderField[]
  readonly body: Uint8Array
  readonly trailers: readonly HeaderField[] | undefined
}

export async function answerOf(stream: ClientStream): Promise<Got> {
  const first = await stream.response
  const pieces: Uint8Array[] = []
  for await (const piece of stream) pieces.push(piece)
  return {first, body: joined(pieces), trailers: stream.trailers}
}

export const statusOf = ({first, trailers}: Got) => {
  const fields = trailers ?? first
  return {code: Number(fieldValue(fields, 'grpc-status')), message: fieldValue(fields, 'grpc-message') ?? ''}
}

export const framed = (bytes: Uint8Array, compressed = false) => frameMessage({compressed, bytes})

export function messageOf<Desc extends DescMessage>(desc: Desc, init: MessageInitShape<Desc>): Uint8Array {
  return framed(toBinary(desc, create(desc, init)))
}

export function messagesIn<Desc extends DescMessage>(desc: Desc, body: Uint8Array): MessageShape<Desc>[] {
  const splitter = new MessageSplitter()
  splitter.push(body)
  const messages: MessageShape<Desc>[] = []
  for (let next = splitter.next(); next !== undefined; next = splitter.next()) messages.push(fromBinary(desc, next.bytes))
  return messages
}

const head: readonly HeaderField[] = [
  {name: ':status', value: '200'},
  {name: 'content-type', value: 'application/grpc'},
]

/** An answer of one message, or of several. */
export async function answerWith({stream}: SeenCall, ...messages: readonly Uint8Array[]): Promise<void> {
  stream.sendHeaders(head)
  for (const message of messages) await stream.write(message)
  stream.end(statusFields({code: 'OK', message: ''}))
}

/** A trailers-only answer. */
export function refuseWith({stream}: SeenCall, code: string, message = ''): void {
  stream.sendHeaders([...head, ...statusFields({code, message})], {endStream: true})
}
