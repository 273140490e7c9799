// The container runtime's calls that kubelimbo makes, over a unix socket.
import type {MessageInitShape} from '@bufbuild/protobuf'
import {type Client, createClient} from '@connectrpc/connect'
import {type CallOptions, type Channel, type ChannelOptions, openChannel} from './channel.ts'
import * as v1 from './gen/cri_pb.ts'
import * as v1alpha2 from './gen/cri-v1alpha2_pb.ts'
import {collect, type Listed} from './listed.ts'
import {RpcFailure} from './rpc-failure.ts'

/** What the kubelet reads at most (cri-client, 16 MiB). */
const maxMessageBytes = 16 * 1024 * 1024

export interface RuntimeVersion {
  readonly name: string
  readonly version: string
  readonly api: 'v1' | 'v1alpha2'
}

export interface CriClient extends AsyncDisposable {
  readonly path: string
  readonly runtime: RuntimeVersion
  listPodSandbox(
    filter: MessageInitShape<typeof v1.PodSandboxFilterSchema> | undefined,
    options?: CallOptions,
  ): Promise<Listed<v1.PodSandbox>>
  listContainers(
    filter: MessageInitShape<typeof v1.ContainerFilterSchema> | undefined,
    options?: CallOptions,
  ): Promise<Listed<v1.Container>>
  /** Undefined when the runtime has no such image. */
  imageStatus(image: string, options?: CallOptions): Promise<v1.Image | undefined>
  /** How many images there are. */
  listImages(options?: CallOptions): Promise<number>
  /** What the runtime says of itself: RuntimeReady, NetworkReady. */
  status(options?: CallOptions): Promise<readonly v1.RuntimeCondition[]>
  /** Verbose: with what the runtime knows beyond the interface, such as the pid. */
  containerStatus(id: string, options?: CallOptions): Promise<v1.ContainerStatusResponse>
}

/**
 * Dials, and asks for the version: a socket is a runtime's only once it has said so.
 * @throws RpcFailure
 */
export async function openCri(options: ChannelOptions): Promise<CriClient> {
  const channel = await openChannel(options, maxMessageBytes)
  try {
    return await greet(channel, options)
  } catch (error) {
    channel[Symbol.dispose]()
    throw error
  }
}

async function greet(channel: Channel, {path, signal}: ChannelOptions): Promise<CriClient> {
  const {transport, call} = channel
  const newest = createClient(v1.RuntimeService, transport)
  const older = createClient(v1alpha2.RuntimeService, transport)
  const runtime = await askVersion((api, options) => {
    const service = api === 'v1' ? newest : older
    return call('Version', options, (within) => service.version({}, {signal: within}))
  }, signal && {signal})
  const {api} = runtime
  const about: Pick<Client<typeof v1.RuntimeService>, 'status' | 'containerStatus'> = api === 'v1' ? newest : older
  const images: Pick<Client<typeof v1.ImageService>, 'imageStatus' | 'listImages'> = createClient(
    api === 'v1' ? v1.ImageService : v1alpha2.ImageService,
    transport,
  )
  return {
    path,
    runtime,
    listPodSandbox: (filter, options = {}) =>
      call('ListPodSandbox', options, (within) => {
        const request = filter ? {filter} : {}
        if (api === 'v1alpha2') return older.listPodSandbox(request, {signal: within}).then(({items}) => ({items}))
        return collect({
          pieces: newest.streamPodSandboxes(request, {signal: within}),
          itemsOf: ({podSandboxes}) => podSandboxes,
          whole: () => newest.listPodSandbox(request, {signal: within}).then(({items}) => items),
          method: 'StreamPodSandboxes',
          signal: within,
        })
      }),
    listContainers: (filter, options = {}) =>
      call('ListContainers', options, (within) => {
        const request = filter ? {filter} : {}
        if (api === 'v1alpha2') return older.listContainers(request, {signal: within}).then(({containers}) => ({items: containers}))
        return collect({
          pieces: newest.streamContainers(request, {signal: within}),
          itemsOf: ({containers}) => containers,
          whole: () => newest.listContainers(request, {signal: within}).then(({containers}) => containers),
          method: 'StreamContainers',
          signal: within,
        })
      }),
    imageStatus: (image, options = {}) =>
      call('ImageStatus', options, (within) => images.imageStatus({image: {image}}, {signal: within})).then((reply) => reply.image),
    listImages: (options = {}) =>
      call('ListImages', options, (within) => images.listImages({}, {signal: within})).then((reply) => reply.images.length),
    status: (options = {}) =>
      call('Status', options, (within) => about.status({}, {signal: within})).then((reply) => reply.status?.conditions ?? []),
    containerStatus: (containerId, options = {}) =>
      call('ContainerStatus', options, (within) => about.containerStatus({containerId, verbose: true}, {signal: within})),
    [Symbol.asyncDispose]: async () => channel[Symbol.dispose](),
  }
}

/** v1 is asked first; runtimes before it (containerd 1.5, CRI-O 1.22) answer UNIMPLEMENTED and serve v1alpha2. */
async function askVersion(
  ask: (api: RuntimeVersion['api'], options: CallOptions) => Promise<v1.VersionResponse>,
  options: CallOptions = {},
): Promise<RuntimeVersion> {
  const describe = (api: RuntimeVersion['api'], reply: v1.VersionResponse) => ({
    name: reply.runtimeName,
    version: reply.runtimeVersion,
    api,
  })
  const unimplemented = (error: unknown) => error instanceof RpcFailure && error.kind === 'no-service'
  try {
    return describe('v1', await ask('v1', options))
  } catch (error) {
    if (!unimplemented(error)) throw error
  }
  try {
    return describe('v1alpha2', await ask('v1alpha2', options))
  } catch (error) {
    if (!unimplemented(error)) throw error
    throw new RpcFailure(
      'UNIMPLEMENTED',
      'no-service',
      'it speaks gRPC but is no container runtime: it serves neither runtime.v1 nor runtime.v1alpha2',
      error,
    )
  }
}
