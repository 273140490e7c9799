// A real container runtime as the runtime of a lab's node: reached by three connections, that of the kubelet, that of whoever looks, and that of whoever cleans up.
import {firstLine, UserError} from '../../base/errors.ts'
import {type ExitCode, exitCodes} from '../../base/exit-codes.ts'
import {type ScaledClock, scaledClock} from '../../base/scaled-clock.ts'
import {CallFailure} from '../../kubelet/port.ts'
import type {Timeline} from '../../timeline/timeline.ts'
import {parseSocketAddress} from '../../wire/socket-address.ts'
import type {LabRuntime} from '../lab-runtime.ts'
import {describeCri} from '../runtime/describe-cri.ts'
import {behindARuntime} from './behind-a-runtime.ts'
import {nodeImages} from './node-images.ts'
import type {PodLogs} from './pod-logs.ts'
import {openRemoteCri, type RemoteCriOptions} from './remote-cri.ts'
import {remoteServer} from './remote-server.ts'
import {removePods} from './remove-pods.ts'
import {startRuntimeWatch} from './runtime-watch.ts'

export interface RealRuntimeOptions {
  /** 'unix:///run/containerd/containerd.sock' */
  readonly endpoint: string
  /** The kubelet's. */
  readonly clock: ScaledClock
  readonly logs: PodLogs
  /** Default: none, which leaves it to the runtime. */
  readonly cgroupParent?: string
  /** In place of all that scenarios name. */
  readonly image?: string
  /** Of the kubelet's paths. Absent: its disk is in memory, so containers have none of its volumes. */
  readonly realPath?: (path: string) => string
  /** Nobody looks or calls any more. */
  readonly signal: AbortSignal
}

export interface RealRuntime {
  /** 'containerd' */
  readonly name: string
  start(timeline: Timeline): LabRuntime
  /** After the signal: all that the kubelet made there is removed. @throws UserError when something is left */
  end(): Promise<void>
}

/** @throws UserError when it cannot be used */
export async function openRealRuntime(options: RealRuntimeOptions): Promise<RealRuntime> {
  const {endpoint, clock, logs, cgroupParent = '', image, realPath = (path: string) => path, signal} = options
  const {path} = parseSocketAddress(endpoint, '--runtime-endpoint')
  const forKubelet: RemoteCriOptions = {path, clock, logs, cgroupParent, realPath, signal}
  // Whoever looks waits as a person does, whatever the kubelet's clock does, but has the moments by it.
  const ownClock: ScaledClock = {...scaledClock(clock.real, 1), fromReal: clock.fromReal}
  const noLogs: PodLogs = {...logs, make: async () => {}, removeContainer: async () => {}, removePod: async () => {}}
  const open = (until: AbortSignal) => openRemoteCri({...forKubelet, clock: ownClock, logs: noLogs, signal: until})
  const stack = new DisposableStack()
  try {
    const kubelets = stack.use(await openRemoteCri(forKubelet))
    const watchers = stack.use(await open(signal))
    const images = nodeImages(await watchers.imageNames(), image)
    const ourPods = new Set<string>()
    return {
      name: kubelets.runtimeName,
      start: (timeline) => {
        const isOurs = (uid: string) => ourPods.has(uid)
        const watch = startRuntimeWatch({port: watchers.port, hear: watchers.hear, timeline, clock: clock.real, isOurs, signal})
        return {
          name: kubelets.runtimeName,
          server: remoteServer({port: kubelets.port, watch, images, ourPods, sameDisk: options.realPath !== undefined}),
          describe: describeCri(watch),
          behindTheBack: behindARuntime(watchers.port, watch),
        }
      },
      end: async () => {
        stack.dispose()
        if (ourPods.size === 0) return
        using cleaner = await open(new AbortController().signal).catch((error) => {
          throw cannotUse(error, `Cannot leave the container runtime as it was as ${endpoint} must answer`, exitCodes.dirty)
        })
        await removePods(cleaner.port, ourPods, clock.real)
      },
    }
  } catch (error) {
    stack.dispose()
    throw cannotUse(error, `Cannot play scenarios on the container runtime as ${endpoint} must answer`, exitCodes.blind)
  }
}

function cannotUse(error: unknown, what: string, exit: ExitCode): unknown {
  if (!(error instanceof CallFailure)) return error
  const hint = error.message.includes('permission denied') ? {hint: 'run it as root'} : {}
  return new UserError(`${what}: ${firstLine(error)}`, {...hint, exit, cause: error})
}
