// The suite's client on @grpc/grpc-js, by its generic calls.
import {fromBinary, toBinary} from '@bufbuild/protobuf'
import {BytesValueSchema} from '@bufbuild/protobuf/wkt'
import * as grpc from '@grpc/grpc-js'
import {reasonsOf} from './error-reasons.ts'
import type {Answer, CallOptions, Conversation, OpenClient} from './suite-client.ts'

const serialize = (value: Uint8Array) => Buffer.from(toBinary(BytesValueSchema, {$typeName: 'google.protobuf.BytesValue', value}))
const deserialize = (bytes: Buffer) => fromBinary(BytesValueSchema, bytes).value
const largest = 64 * 1024 * 1024

export const grpcJs: OpenClient = (path, {gzip = false, sendsAgain = false, pings} = {}) => {
  const client = new grpc.Client(`unix:${path}`, grpc.credentials.createInsecure(), {
    'grpc.max_receive_message_length': largest,
    'grpc.max_send_message_length': largest,
    'grpc.enable_retries': sendsAgain ? 1 : 0,
    'grpc.use_local_subchannel_pool': 1,
    'grpc.default_compression_algorithm': gzip ? grpc.compressionAlgorithms.gzip : grpc.compressionAlgorithms.identity,
    ...(pings ? {'grpc.keepalive_time_ms': pings.every, 'grpc.keepalive_timeout_ms': pings.timeout} : {}),
  })
  const route = (method: string) => `/test.Suite/${method}`
  return {
    unary: (method, message, options = {}) =>
      new Promise((resolve) => {
        const collect = collector(resolve)
        const done = (error: grpc.ServiceError | null, value?: Uint8Array) => collect.done(error, value)
        const call = client.makeUnaryRequest(route(method), serialize, deserialize, message, ...settings(options), done)
        collect.watch(call, options.signal)
      }),
    serverStream: (method, message, options = {}) =>
      new Promise((resolve) => {
        const collect = collector(resolve)
        const call = client.makeServerStreamRequest(route(method), serialize, deserialize, message, ...settings(options))
        collect.watch(call, options.signal)
        call.on('data', collect.message).on('error', (error: grpc.ServiceError) => collect.done(error))
        call.on('end', () => collect.done(null))
      }),
    clientStream: (method, messages, options = {}) =>
      new Promise((resolve) => {
        const collect = collector(resolve)
        const done = (error: grpc.ServiceError | null, value?: Uint8Array) => collect.done(error, value)
        const call = client.makeClientStreamRequest(route(method), serialize, deserialize, ...settings(options), done)
        collect.watch(call, options.signal)
        for (const message of messages) call.write(message)
        call.end()
      }),
    bidi: (method, options = {}) => conversation(client.makeBidiStreamRequest(route(method), serialize, deserialize, ...settings(options))),
    [Symbol.dispose]: () => client.close(),
  }
}

type Call = grpc.Call & NodeJS.EventEmitter

function settings({metadata = {}, timeoutMs}: CallOptions): [grpc.Metadata, grpc.CallOptions] {
  const sent = new grpc.Metadata()
  for (const [name, values] of Object.entries(metadata)) {
    for (const value of [values].flat()) sent.add(name, name.endsWith('-bin') ? Buffer.from(value, 'base64') : value)
  }
  return [sent, timeoutMs === undefined ? {} : {deadline: Date.now() + timeoutMs}]
}

const read = (metadata: grpc.Metadata): Record<string, string> =>
  Object.fromEntries(
    Object.keys(metadata.getMap())
      .filter((name) => name.startsWith('x-'))
      .sort()
      .map((name) => [
        name,
        metadata
          .get(name)
          .map((each) => (typeof each === 'string' ? each : each.toString('base64')))
          .join(', '),
      ]),
  )

/** The answer is whole when the call has ended and its status, which has the trailer, has come. */
function collector(resolve: (answer: Answer) => void) {
  const messages: Uint8Array[] = []
  let header: Record<string, string> = {}
  let status: grpc.StatusObject | undefined
  let over: {readonly error: grpc.ServiceError | null} | undefined
  const settle = () => {
    if (!over || !status) return
    const {code, details, metadata} = status
    resolve({
      code: grpc.status[code] ?? '',
      message: details,
      header,
      trailer: read(metadata),
      messages,
      reasons: reasonsOf(statusBytes(metadata)),
    })
  }
  return {
    message: (value: Uint8Array) => void messages.push(value),
    done: (error: grpc.ServiceError | null, value?: Uint8Array) => {
      if (value !== undefined) messages.push(value)
      over = {error}
      settle()
    },
    watch: (call: Call, signal: AbortSignal | undefined) => {
      call.on('metadata', (metadata: grpc.Metadata) => {
        header = read(metadata)
      })
      call.on('status', (ended: grpc.StatusObject) => {
        status = ended
        settle()
      })
      signal?.addEventListener('abort', () => call.cancel(), {once: true})
    },
  }
}

function statusBytes(metadata: grpc.Metadata): Uint8Array | undefined {
  const [bytes] = metadata.get('grpc-status-details-bin')
  return typeof bytes === 'string' ? undefined : bytes
}

function conversation(call: grpc.ClientDuplexStream<Uint8Array, Uint8Array>): Conversation {
  const outcome = new Promise<{code: string; message: string}>((resolve) => {
    call.on('status', ({code, details}: grpc.StatusObject) => resolve({code: grpc.status[code] ?? '', message: details}))
  })
  call.on('error', () => undefined)
  const messages = call.iterator({destroyOnReturn: false})
  return {
    send: (message) => new Promise((resolve) => void call.write(message, () => resolve())),
    receive: async () => {
      const next: IteratorResult<Uint8Array, undefined> = await messages.next().catch(() => ({done: true, value: undefined}))
      return next.done ? undefined : next.value
    },
    end: () => void call.end(),
    outcome,
  }
}
