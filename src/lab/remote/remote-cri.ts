// A real container runtime as the kubelet of the lab calls it. Upstream: cri-client/pkg/remote_runtime.go, remote_image.go
import {createClient, type Transport} from '@connectrpc/connect'
import {CallFailure} from '../../kubelet/port.ts'
import type {CriPort} from '../../kubelet/ports.ts'
import * as v1 from '../../wire/gen/cri_pb.ts'
import * as v1alpha2 from '../../wire/gen/cri-v1alpha2_pb.ts'
import {type CallTarget, callWithin} from './call-within.ts'
import {callOver, connection} from './connection.ts'
import type {ConfigOptions} from './cri-configs.ts'
import {type Calls, criHandlers, type Images, type Runtime} from './cri-handlers.ts'

export interface RemoteCriOptions extends CallTarget, ConfigOptions {
  readonly signal: AbortSignal
}

export interface RemoteCri extends Disposable {
  readonly port: CriPort
  /** As the runtime calls itself: 'containerd'. */
  readonly runtimeName: string
  /** Those that it has, by all of their names: 'docker.io/library/busybox:1.36'. */
  imageNames(): Promise<readonly string[]>
  /** Calls back at each of its container events. Resolves when there are no more: at once of a runtime that tells none, as containerd up to 1.6. */
  hear(onEvent: () => void): Promise<void>
}

/** What the kubelet reads at most (cri-client, 16 MiB). */
const maxMessageBytes = 16 * 1024 * 1024

/** Of the first question. */
const versionTimeout = 120_000

const imagesTimeout = 120_000

/** @throws CallFailure when there is no runtime: a kubelet exits then */
export async function openRemoteCri(options: RemoteCriOptions): Promise<RemoteCri> {
  const {signal} = options
  const shared = connection(options, maxMessageBytes)
  const within = <T>(timeoutMs: number, work: (calls: Calls) => Promise<T>, aborted: AbortSignal | undefined = signal): Promise<T> =>
    callWithin(options, {timeoutMs, ...(aborted && {signal: aborted})}, async (given) =>
      callOver(await shared.channel(), options.path, (transport) => work({...clients(transport), within: given})),
    )
  let api: 'v1' | 'v1alpha2' = 'v1'
  const clients = (transport: Transport) => ({
    runtime: createClient(api === 'v1' ? v1.RuntimeService : v1alpha2.RuntimeService, transport) as Runtime,
    images: createClient(api === 'v1' ? v1.ImageService : v1alpha2.ImageService, transport) as Images,
  })
  const version = () => within(versionTimeout, ({runtime, within: given}) => runtime.version({}, given))
  try {
    const {runtimeName} = await version().catch((error) => {
      // Runtimes before v1 (containerd 1.5) serve nothing else.
      if (!(error instanceof CallFailure && error.code === 'UNIMPLEMENTED')) throw error
      api = 'v1alpha2'
      return version()
    })
    const handlers = criHandlers(options) as unknown as Readonly<Record<string, Handler | undefined>>
    const port: CriPort = {
      call: async (method, request, {timeoutMs, signal: aborted}) => {
        const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined
        if (handler === undefined) throw new CallFailure('UNIMPLEMENTED', `unknown method ${method}`)
        return (await within(timeoutMs, (calls) => handler(request, calls), aborted)) as never
      },
    }
    return {
      port,
      runtimeName,
      imageNames: async () => {
        const {images} = await within(imagesTimeout, ({images: service, within: given}) => service.listImages({}, given))
        return images.flatMap(({repoTags, repoDigests}) => [...repoTags, ...repoDigests])
      },
      hear: async (onEvent) => {
        try {
          await callWithin(options, {timeoutMs: Number.POSITIVE_INFINITY, signal}, async (given) =>
            callOver(await shared.channel(), options.path, async (transport) => {
              for await (const _event of createClient(v1.RuntimeService, transport).getContainerEvents({}, given)) onEvent()
            }),
          )
        } catch (error) {
          if (!(error instanceof CallFailure)) throw error
        }
      },
      [Symbol.dispose]: () => shared[Symbol.dispose](),
    }
  } catch (error) {
    shared[Symbol.dispose]()
    throw error
  }
}

type Handler = (request: object, calls: Calls) => Promise<unknown>
