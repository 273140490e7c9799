// GetContainerEvents of a real containerd: what a kubelet with evented PLEG hears, whole, cut off and stalled.
import {fromBinary} from '@bufbuild/protobuf'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {systemClock} from '../../../src/base/clock.ts'
import {faultOf} from '../../../src/faults/faults.ts'
import type {ClientStream} from '../../../src/http2/client-connection.ts'
import {fieldValue} from '../../../src/http2/header-field.ts'
import {MessageSplitter} from '../../../src/proxy/call/message/message-splitter.ts'
import {ContainerEventResponseSchema, ContainerEventType} from '../../../src/wire/gen/cri_pb.ts'
import {runPod, type Sandbox, startContainer} from '../../support/crictl-pods.ts'
import {type ProxiedRuntime, startProxiedRuntime} from '../../support/proxied-runtime.ts'
import {rawCaller} from '../../support/raw-grpc.ts'
import {until} from '../../support/until.ts'

const match = {method: 'GetContainerEvents'}
const path = '/runtime.v1.RuntimeService/GetContainerEvents'

let runtime: ProxiedRuntime
let sandbox: Sandbox
beforeAll(async () => {
  runtime = await startProxiedRuntime()
  sandbox = await runPod(runtime.rig, {name: 'events'})
  // Whoever asks first hears what nobody has heard.
  using early = await listen(runtime.rig.endpoint.slice('unix://'.length))
  await until(async () => expect(early.events).toHaveLength(2), 50)
})
afterAll(() => runtime?.[Symbol.asyncDispose]())

const nameOf = (type: number) => Object.entries(ContainerEventType).find(([, value]) => value === type)?.[0] ?? `${type}`

interface Listener extends Disposable {
  readonly events: readonly string[]
  /** Undefined as long as it is open: 'grpc-status 14: injected', or how it broke. */
  readonly ended: string | undefined
}

async function endingOf(stream: ClientStream): Promise<string> {
  const last = stream.trailers ?? (await stream.response)
  return [`grpc-status ${fieldValue(last, 'grpc-status')}`, fieldValue(last, 'grpc-message') ?? []].flat().join(': ')
}

async function listen(at: string): Promise<Listener> {
  const client = rawCaller(at)
  const stream = await client.open(path, new Uint8Array(0))
  const listener = {events: [] as string[], ended: undefined as string | undefined, [Symbol.dispose]: () => client[Symbol.dispose]()}
  const read = async () => {
    const splitter = new MessageSplitter()
    for await (const piece of stream) {
      splitter.push(piece)
      for (let message = splitter.next(); message !== undefined; message = splitter.next()) {
        const {containerEventType} = fromBinary(ContainerEventResponseSchema, message.bytes)
        listener.events.push(nameOf(containerEventType))
      }
    }
    listener.ended = await endingOf(stream)
  }
  void read().catch((error) => {
    listener.ended = String(error)
  })
  return listener
}

let made = 0

/** What those hear that listen while a container is made and started. */
async function hear(...listeners: readonly Listener[]): Promise<void> {
  // They are with the runtime once it has had time to take their calls.
  await systemClock.sleep(300)
  await startContainer(runtime.rig, sandbox, {name: `container-${made++}`})
  const [direct] = listeners
  await until(async () => expect(direct?.events).toEqual(['CONTAINER_CREATED_EVENT', 'CONTAINER_STARTED_EVENT']), 50)
  await systemClock.sleep(200)
}

const cuts: readonly (readonly [string, ReturnType<typeof faultOf>, readonly string[], string | undefined])[] = [
  [
    'stream-cut after 1 with a code',
    faultOf('stream-cut', {after: 1, code: 'UNAVAILABLE'}),
    ['CONTAINER_CREATED_EVENT'],
    'grpc-status 14: injected',
  ],
  ['stream-cut after 1 as if all were said', faultOf('stream-cut', {after: 1}), ['CONTAINER_CREATED_EVENT'], 'grpc-status 0'],
  ['stream-cut before anything', faultOf('stream-cut', {after: 0, code: 'INTERNAL'}), [], 'grpc-status 13: injected'],
  ['stream-stall after 1', faultOf('stream-stall', {after: 1}), ['CONTAINER_CREATED_EVENT'], undefined],
  [
    'rewrite of each event',
    faultOf('rewrite', {reply: {containerEventType: 'CONTAINER_DELETED_EVENT'}}),
    ['CONTAINER_DELETED_EVENT', 'CONTAINER_DELETED_EVENT'],
    undefined,
  ],
  ['delay after 300', faultOf('delay', {after: 300}), ['CONTAINER_CREATED_EVENT', 'CONTAINER_STARTED_EVENT'], undefined],
]

test.each(cuts)('serveProxy() %s of GetContainerEvents', async (_, fault, events, ended) => {
  await runtime.under(fault, match, async () => {
    using direct = await listen(runtime.rig.endpoint.slice('unix://'.length))
    using through = await listen(runtime.path)
    await hear(direct, through)
    await until(async () => expect([through.events, through.ended]).toEqual([events, ended]), 20)
    expect(direct.ended).toBeUndefined()
  })
})

test('serveProxy() with no rule passes each event on when it comes', async () => {
  using direct = await listen(runtime.rig.endpoint.slice('unix://'.length))
  using through = await listen(runtime.path)
  await hear(direct, through)
  expect([through.events, through.ended]).toEqual([direct.events, undefined])
})
