// How long the kubelet waits for each call of the CRI. Upstream: remote/remote_runtime.go, remote/remote_image.go
import type {CriMethods} from '../cri.ts'
import type {CriPort} from '../ports.ts'

type Known = {[Method in keyof CriMethods as string extends Method ? never : number extends Method ? never : Method]: CriMethods[Method]}

export type CriMethod = keyof Known & string

/** One call of the runtime, with the timeout that the kubelet gives it. */
export type RemoteRuntime = <Method extends CriMethod>(
  method: Method,
  request: Known[Method]['request'],
) => Promise<Known[Method]['response']>

/** runtimeRequestTimeout */
const requestTimeout = 120_000

export function remoteRuntime(cri: CriPort, signal: AbortSignal): RemoteRuntime {
  return (method, request) => cri.call(method, request, {timeoutMs: timeoutOf(method, request), signal})
}

/** Milliseconds. A sandbox takes twice as long; the grace of a stop comes on top; pulls and hooks wait for ever. */
export function timeoutOf(method: CriMethod, request: object): number {
  switch (method) {
    case 'RunPodSandbox':
      return 2 * requestTimeout
    case 'StopContainer':
      return requestTimeout + secondsOf(request)
    case 'ExecSync':
      return secondsOf(request) === 0 ? Number.POSITIVE_INFINITY : requestTimeout + secondsOf(request)
    case 'PullImage':
      return Number.POSITIVE_INFINITY
    default:
      return requestTimeout
  }
}

const secondsOf = (request: object): number => ('timeout' in request ? Number(request.timeout) * 1000 : 0)
