// The suite's client on connect, over node:http2, with a service whose descriptor is made here.
import {connect as dial, type Socket} from 'node:net'
import {create, createFileRegistry, type DescService} from '@bufbuild/protobuf'
import {BytesValueSchema, FileDescriptorProtoSchema, file_google_protobuf_wrappers} from '@bufbuild/protobuf/wkt'
import {Code, ConnectError, type CallOptions as ConnectOptions, createClient} from '@connectrpc/connect'
import {compressionGzip, createGrpcTransport} from '@connectrpc/connect-node'
import {reasonsOf} from './error-reasons.ts'
import type {Answer, CallOptions, Conversation, OpenClient} from './suite-client.ts'

interface Bytes {
  readonly value: Uint8Array
}

type Unary = (input: Bytes, options: ConnectOptions) => Promise<Bytes>
type ServerStream = (input: Bytes, options: ConnectOptions) => AsyncIterable<Bytes>
type ClientStream = (input: AsyncIterable<Bytes>, options: ConnectOptions) => Promise<Bytes>
type Bidi = (input: AsyncIterable<Bytes>, options: ConnectOptions) => AsyncIterable<Bytes>

export const connectClient: OpenClient = (path, {gzip = false, pings} = {}) => {
  const sockets = new Set<Socket>()
  const transport = createGrpcTransport({
    baseUrl: 'http://localhost',
    nodeOptions: {
      // Two messages of 20 MiB are under way at once.
      maxSessionMemory: 1000,
      createConnection: () => {
        const socket = dial(path)
        sockets.add(socket)
        return socket
      },
    },
    acceptCompression: gzip ? [compressionGzip] : [],
    ...(gzip ? {sendCompression: compressionGzip} : {}),
    ...(pings ? {pingIntervalMs: pings.every, pingTimeoutMs: pings.timeout} : {}),
  })
  const client = createClient(suite, transport) as unknown as Readonly<Record<string, unknown>>
  const of = <T>(method: string) => client[`${method[0]?.toLowerCase()}${method.slice(1)}`] as T
  return {
    unary: (method, value, options) => answerOf(options, async (own) => [await of<Unary>(method)({value}, own)]),
    serverStream: (method, value, options) => answerOf(options, (own) => of<ServerStream>(method)({value}, own)),
    clientStream: (method, messages, options) =>
      answerOf(options, async (own) => [await of<ClientStream>(method)(listed(messages.map((value) => ({value}))), own)]),
    bidi: (method, options) => conversation(of<Bidi>(method), options),
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

const kinds: Readonly<Record<string, readonly string[]>> = {
  unary: ['Unary', 'Make', 'Fail', 'Hang', 'Gate', 'Seen', 'Missing'],
  serverStreaming: ['Repeat', 'Break'],
  clientStreaming: ['Length'],
  both: ['Bidi'],
}

const suite = serviceOf()

function serviceOf(): DescService {
  const bytes = '.google.protobuf.BytesValue'
  const method = Object.entries(kinds).flatMap(([kind, names]) =>
    names.map((name) => ({
      name,
      inputType: bytes,
      outputType: bytes,
      serverStreaming: kind === 'serverStreaming' || kind === 'both',
      clientStreaming: kind === 'clientStreaming' || kind === 'both',
    })),
  )
  const wrappers = file_google_protobuf_wrappers.proto
  const service = [{name: 'Suite', method}]
  const file = create(FileDescriptorProtoSchema, {
    name: 'suite.proto',
    package: 'test',
    syntax: 'proto3',
    dependency: [wrappers.name],
    service,
  })
  const found = createFileRegistry(file, (name) => (name === wrappers.name ? wrappers : undefined)).getService('test.Suite')
  if (found === undefined) throw new Error(`Cannot use connect as it must know test.Suite, whose messages are ${BytesValueSchema.typeName}`)
  return found
}

async function* listed<T>(values: readonly T[]): AsyncIterable<T> {
  yield* values
}

const read = (headers: Headers): Record<string, string> => Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-')).sort())

async function answerOf(
  options: CallOptions | undefined,
  call: (own: ConnectOptions) => AsyncIterable<Bytes> | Promise<Bytes[]>,
): Promise<Answer> {
  const messages: Uint8Array[] = []
  let header: Record<string, string> = {}
  let trailer: Record<string, string> = {}
  const own: ConnectOptions = {
    ...ownOptions(options),
    onHeader: (headers) => {
      header = read(headers)
    },
    onTrailer: (trailers) => {
      trailer = read(trailers)
    },
  }
  const ended = (code: string, message: string, reasons: string[]): Answer => ({code, message, header, trailer, messages, reasons})
  try {
    for await (const {value} of await call(own)) messages.push(value)
    return ended('OK', '', [])
  } catch (thrown) {
    const {code, rawMessage, metadata} = ConnectError.from(thrown)
    const details = metadata.get('grpc-status-details-bin')
    return ended(nameOf(code), rawMessage, reasonsOf(details === null ? undefined : Buffer.from(details, 'base64')))
  }
}

/** 'NotFound' is NOT_FOUND, and connect's 'Canceled' what others call CANCELLED. */
const nameOf = (code: Code) =>
  code === Code.Canceled ? 'CANCELLED' : (Code[code] ?? '').replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()

function ownOptions({metadata = {}, timeoutMs, signal}: CallOptions = {}): ConnectOptions {
  const headers = new Headers()
  for (const [name, values] of Object.entries(metadata)) for (const value of [values].flat()) headers.append(name, value)
  return {headers, ...(timeoutMs === undefined ? {} : {timeoutMs}), ...(signal === undefined ? {} : {signal})}
}

function conversation(call: Bidi, options: CallOptions | undefined): Conversation {
  const waiting: Bytes[] = []
  let wake = Promise.withResolvers<void>()
  let over = false
  async function* sent(): AsyncIterable<Bytes> {
    for (;;) {
      const next = waiting.shift()
      if (next !== undefined) yield next
      else if (over) return
      else {
        await wake.promise
        wake = Promise.withResolvers()
      }
    }
  }
  const messages = call(sent(), ownOptions(options))[Symbol.asyncIterator]()
  const outcome = Promise.withResolvers<{code: string; message: string}>()
  return {
    send: async (value) => {
      waiting.push({value})
      wake.resolve()
    },
    receive: async () => {
      try {
        const next = await messages.next()
        if (!next.done) return next.value.value
        outcome.resolve({code: 'OK', message: ''})
      } catch (thrown) {
        const {code, rawMessage} = ConnectError.from(thrown)
        outcome.resolve({code: nameOf(code), message: rawMessage})
      }
      return undefined
    },
    end: () => {
      over = true
      wake.resolve()
    },
    outcome: outcome.promise,
  }
}
