// A CSI driver, or a registration of one, in this process, on a real unix socket, as healthy or as broken as a test wants it.
import {createServer as createHttp2Server} from 'node:http2'
import type {MessageInitShape} from '@bufbuild/protobuf'
import type {ConnectError, ConnectRouter} from '@connectrpc/connect'
import {connectNodeAdapter} from '@connectrpc/connect-node'
import {Identity, Node, type NodeServiceCapability_RPC_Type} from '../../src/wire/gen/csi_pb.ts'
import {type PluginInfoSchema, Registration} from '../../src/wire/gen/registration_pb.ts'
import {type Listening, listening} from './listening.ts'
import {unimplemented} from './unimplemented.ts'

export type Call = 'GetInfo' | 'GetPluginInfo' | 'Probe' | 'NodeGetCapabilities' | 'NodeGetInfo'

interface Behaviour {
  /** Takes these calls and never answers them. */
  readonly hangs?: readonly Call[]
  /** Answers these with an error. */
  readonly fails?: Partial<Readonly<Record<Call, ConnectError>>>
}

export interface FakeDriverOptions extends Behaviour {
  readonly path: string
  readonly name?: string
  readonly version?: string
  readonly ready?: boolean
  /** Numbers, so that those can be sent that nobody knows. */
  readonly capabilities?: readonly number[]
  readonly nodeId?: string
  /** Default: both. A controller has no node service. */
  readonly services?: readonly ('identity' | 'node')[]
}

export interface Fake extends Listening {
  /** Paths of all requests, in their order: whatever they asked for. */
  readonly calls: readonly string[]
}

export async function fakeDriver(options: FakeDriverOptions): Promise<Fake> {
  const {name = 'fake.csi.example.com', version = '1.2.3', ready, nodeId = 'n1', services = ['identity', 'node']} = options
  const capabilities = (options.capabilities ?? [1]).map((type) => ({
    type: {case: 'rpc' as const, value: {type: type as NodeServiceCapability_RPC_Type}},
  }))
  return serve(options.path, (router) => {
    if (services.includes('identity')) {
      router.service(Identity, {
        getPluginInfo: () => behave(options, 'GetPluginInfo', {name, vendorVersion: version}),
        probe: () => behave(options, 'Probe', ready === undefined ? {} : {ready}),
      })
    }
    if (services.includes('node')) {
      router.service(Node, {
        nodeGetCapabilities: () => behave(options, 'NodeGetCapabilities', {capabilities}),
        nodeGetInfo: () => behave(options, 'NodeGetInfo', {nodeId}),
      })
    }
  })
}

export async function fakeRegistration(
  options: Behaviour & {readonly path: string} & Partial<MessageInitShape<typeof PluginInfoSchema>>,
): Promise<Fake> {
  const {type = 'CSIPlugin', name = 'fake.csi.example.com', endpoint = '', supportedVersions = ['1.0.0']} = options
  return serve(options.path, (router) => {
    router.service(Registration, {getInfo: () => behave(options, 'GetInfo', {type, name, endpoint, supportedVersions})})
  })
}

/** gRPC with no service at all. */
export const otherService = (path: string) => serve(path, () => undefined)

async function serve(path: string, routes: (router: ConnectRouter) => void): Promise<Fake> {
  const calls: string[] = []
  const server = createHttp2Server(connectNodeAdapter({routes, fallback: unimplemented, grpcWeb: false, connect: false}))
  server.on('request', ({url}) => calls.push(url))
  return {...(await listening(server, path)), calls}
}

async function behave<T>({hangs, fails}: Behaviour, call: Call, answer: T): Promise<T> {
  if (hangs?.includes(call)) await new Promise(() => undefined)
  const error = fails?.[call]
  if (error) throw error
  return answer
}
