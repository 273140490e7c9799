// A container runtime in this process, on a real unix socket, as healthy or as broken as a test wants it.
import {createServer as createHttp2Server, type Http2ServerRequest, type Http2ServerResponse} from 'node:http2'
import type {MessageInitShape} from '@bufbuild/protobuf'
import {Code, ConnectError, type ConnectRouter, type ServiceImpl} from '@connectrpc/connect'
import {connectNodeAdapter} from '@connectrpc/connect-node'
import * as v1 from '../../src/wire/gen/cri_pb.ts'
import * as v1alpha2 from '../../src/wire/gen/cri-v1alpha2_pb.ts'
import {type Listening, listening} from './listening.ts'
import {unimplemented} from './unimplemented.ts'

export interface FakeRuntimeOptions {
  readonly path: string
  readonly sandboxes?: readonly MessageInitShape<typeof v1.PodSandboxSchema>[]
  readonly containers?: readonly MessageInitShape<typeof v1.ContainerSchema>[]
  readonly images?: readonly MessageInitShape<typeof v1.ImageSchema>[]
  readonly name?: string
  /** Default: v1 only, as today's runtimes. */
  readonly api?: 'v1' | 'v1alpha2' | 'none'
  /** Default: UNIMPLEMENTED. 'breaks': one item, then the stream is reset; 'stalls': one item, then nothing. */
  readonly streams?: 'works' | 'breaks' | 'stalls'
  /** Every call but Version waits this long. */
  readonly delayMs?: number
  /** Every call answers UNKNOWN, as containerd does until its plugin is ready. */
  readonly starting?: boolean
  /** Takes calls and never answers them; 'lists' answers Version. */
  readonly hangs?: 'all' | 'lists'
}

export interface FakeRuntime extends Listening {
  /** Method names in the order of the calls. */
  readonly calls: readonly string[]
  /** The filters of the list calls, as they came. */
  readonly filters: readonly unknown[]
}

export async function fakeRuntime(options: FakeRuntimeOptions): Promise<FakeRuntime> {
  const calls: string[] = []
  const filters: unknown[] = []
  const routes = (router: ConnectRouter) => {
    if (options.api === 'none') return
    const service = serve(options, calls, filters)
    if (options.api === 'v1alpha2') {
      router.service(v1alpha2.RuntimeService, service)
      router.service(v1alpha2.ImageService, images(options))
    } else {
      router.service(v1.RuntimeService, {...service, ...streams(options, calls, filters)})
      router.service(v1.ImageService, images(options))
    }
  }
  const adapter = connectNodeAdapter({routes, fallback, writeMaxBytes: 0xffffffff, grpcWeb: false, connect: false})
  return {...(await listening(createHttp2Server(adapter), options.path)), calls, filters}
}

type V1Service = ServiceImpl<typeof v1.RuntimeService>

function serve(
  options: FakeRuntimeOptions,
  calls: string[],
  filters: unknown[],
): Pick<V1Service, 'version' | 'listPodSandbox' | 'listContainers'> {
  const enter = async (method: string, filter?: unknown) => {
    calls.push(method)
    if (method !== 'Version') filters.push(filter)
    if (options.starting) throw new ConnectError('server is not initialized yet', Code.Unknown)
    if (options.hangs === 'all' || (options.hangs === 'lists' && method !== 'Version')) await new Promise(() => undefined)
    if (options.delayMs && method !== 'Version') await new Promise((resolve) => setTimeout(resolve, options.delayMs))
  }
  return {
    version: async () => {
      await enter('Version')
      return {version: '0.1.0', runtimeName: options.name ?? 'fake', runtimeVersion: 'v1.2.3', runtimeApiVersion: options.api ?? 'v1'}
    },
    listPodSandbox: async ({filter}) => {
      await enter('ListPodSandbox', filter)
      return {items: [...(options.sandboxes ?? [])]}
    },
    listContainers: async ({filter}) => {
      await enter('ListContainers', filter)
      return {containers: [...(options.containers ?? [])]}
    },
  }
}

function streams(options: FakeRuntimeOptions, calls: string[], filters: unknown[]): Partial<V1Service> {
  const pieces = async function* <T>(method: string, filter: unknown, items: readonly T[]) {
    calls.push(method)
    if (options.streams === undefined) throw new ConnectError(`unknown method ${method}`, Code.Unimplemented)
    filters.push(filter)
    for (const [index, item] of items.entries()) {
      if (index === 1 && options.streams === 'breaks') throw new ConnectError('the runtime went away', Code.Unavailable)
      if (index === 1 && options.streams === 'stalls') await new Promise(() => undefined)
      yield [item]
    }
  }
  return {
    async *streamPodSandboxes({filter}) {
      for await (const podSandboxes of pieces('StreamPodSandboxes', filter, options.sandboxes ?? [])) yield {podSandboxes}
    },
    async *streamContainers({filter}) {
      for await (const containers of pieces('StreamContainers', filter, options.containers ?? [])) yield {containers}
    },
  }
}

function images({images}: FakeRuntimeOptions): ServiceImpl<typeof v1.ImageService> {
  return {
    imageStatus: ({image}) => {
      const found = images?.find(({id, repoTags}) => id === image?.image || repoTags?.includes(image?.image ?? ''))
      return found ? {image: found} : {}
    },
  }
}

function fallback(request: Http2ServerRequest | unknown, response: Http2ServerResponse | unknown): void {
  const {url} = request as Http2ServerRequest
  const reply = response as Http2ServerResponse
  if (url === '/runtime.v1.ImageService/ImageFsInfo') answerEmpty(reply)
  else unimplemented(request, response)
}

/** `crictl ps` asks for ImageFsInfo first and reads nothing of the reply, so cri.proto need not have it. */
function answerEmpty(reply: Http2ServerResponse): void {
  reply.writeHead(200, {'content-type': 'application/grpc'})
  reply.addTrailers({'grpc-status': '0'})
  reply.end(new Uint8Array(5))
}
