// A container runtime in this process, on a real unix socket, as healthy or as broken as a test wants it.
import {createServer as createHttp2Server} from 'node:http2'
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
  /** What ContainerStatus says of an id beyond the list: without an entry, no more than the list does. */
  readonly statuses?: Readonly<Record<string, MessageInitShape<typeof v1.ContainerStatusResponseSchema>>>
  readonly conditions?: readonly MessageInitShape<typeof v1.RuntimeConditionSchema>[]
  /** Takes calls and never answers them: all of them, the two lists, or by method's name, 'ContainerStatus ID' for one container. */
  readonly hangs?: 'all' | 'lists' | readonly string[]
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
      router.service(v1alpha2.ImageService, images(options, calls))
    } else {
      router.service(v1.RuntimeService, {...service, ...streams(options, calls, filters)})
      router.service(v1.ImageService, images(options, calls))
    }
  }
  const adapter = connectNodeAdapter({routes, fallback: unimplemented, writeMaxBytes: 0xffffffff, grpcWeb: false, connect: false})
  return {...(await listening(createHttp2Server(adapter), options.path)), calls, filters}
}

type V1Service = ServiceImpl<typeof v1.RuntimeService>

type Enter = (method: string, filter?: unknown) => Promise<void>

function entering(options: FakeRuntimeOptions, calls: string[]): Enter {
  return async (method) => {
    calls.push(method)
    if (options.starting) throw new ConnectError('server is not initialized yet', Code.Unknown)
    if (hangsOn(options, method)) await new Promise(() => undefined)
    if (options.delayMs && method !== 'Version') await new Promise((resolve) => setTimeout(resolve, options.delayMs))
  }
}

function hangsOn({hangs}: FakeRuntimeOptions, method: string): boolean {
  if (hangs === 'all') return true
  return hangs === 'lists' ? method.startsWith('List') : (hangs?.includes(method) ?? false)
}

function serve(
  options: FakeRuntimeOptions,
  calls: string[],
  filters: unknown[],
): Pick<V1Service, 'version' | 'listPodSandbox' | 'listContainers' | 'status' | 'containerStatus'> {
  const enter = entering(options, calls)
  return {
    version: async () => {
      await enter('Version')
      return {version: '0.1.0', runtimeName: options.name ?? 'fake', runtimeVersion: 'v1.2.3', runtimeApiVersion: options.api ?? 'v1'}
    },
    listPodSandbox: async ({filter}) => {
      filters.push(filter)
      await enter('ListPodSandbox')
      return {items: [...(options.sandboxes ?? [])]}
    },
    listContainers: async ({filter}) => {
      filters.push(filter)
      await enter('ListContainers')
      return {containers: [...(options.containers ?? [])]}
    },
    status: async () => {
      await enter('Status')
      return {status: {conditions: [...(options.conditions ?? ready)]}}
    },
    containerStatus: async ({containerId}) => {
      await enter(`ContainerStatus ${containerId}`)
      const listed = options.containers?.find(({id}) => id === containerId)
      if (listed === undefined) throw new ConnectError(`container "${containerId}" not found`, Code.NotFound)
      const {id, metadata, state, createdAt} = listed
      const basic = {...(id && {id}), ...(metadata && {metadata}), ...(state && {state}), ...(createdAt && {createdAt})}
      return options.statuses?.[containerId] ?? {status: basic}
    },
  }
}

const ready = [
  {type: 'RuntimeReady', status: true},
  {type: 'NetworkReady', status: true},
]

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

function images(options: FakeRuntimeOptions, calls: string[] = []): Partial<ServiceImpl<typeof v1.ImageService>> {
  const {images} = options
  const enter = entering(options, calls)
  return {
    listImages: async () => {
      await enter('ListImages')
      return {images: [...(images ?? [])]}
    },
    imageStatus: ({image}) => {
      const found = images?.find(({id, repoTags}) => id === image?.image || repoTags?.includes(image?.image ?? ''))
      return found ? {image: found} : {}
    },
    // `crictl ps` asks for it first and reads nothing of the reply.
    imageFsInfo: () => ({}),
  }
}
