// A call of a real server by the kubelet's clock: it ends when the kubelet has waited as long as it says, and the server hears how long that is in its own time.
import type {Socket} from 'node:net'
import {Code, ConnectError} from '@connectrpc/connect'
import type {ScaledClock} from '../../base/scaled-clock.ts'
import {CallFailure, type CallOptions} from '../../kubelet/port.ts'
import {withDeadline} from '../../wire/deadline.ts'
import {callFailure} from './call-failure.ts'

/** As connect's clients take them. */
export interface Within {
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
}

export interface CallTarget {
  /** Of the server's socket. */
  readonly path: string
  /** Of each connection, as soon as it is there. */
  readonly onConnected?: (socket: Socket) => void
  readonly clock: ScaledClock
}

/** @throws CallFailure */
export async function callWithin<T>(
  {path, clock}: CallTarget,
  {timeoutMs, signal}: CallOptions,
  work: (within: Within) => Promise<T>,
): Promise<T> {
  if (signal?.aborted) throw cancelled()
  const expired = new CallFailure('DEADLINE_EXCEEDED', 'context deadline exceeded')
  const headers = grpcTimeout(timeoutMs / clock.scale)
  // Only for this reason does connect tell the server CANCEL, as gRPC has it.
  const takenBack = new AbortController()
  try {
    return await withDeadline({clock, ms: timeoutMs, expired: () => expired, ...(signal && {signal})}, (within) => {
      within.addEventListener('abort', () => takenBack.abort(new ConnectError('context canceled', Code.Canceled)), {once: true})
      return work({signal: takenBack.signal, headers})
    })
  } catch (error) {
    if (signal?.aborted) throw cancelled()
    throw takenBack.signal.aborted ? expired : callFailure(error, path)
  }
}

const cancelled = () => new CallFailure('CANCELLED', 'context canceled')

/** Eight digits are all that there may be. Upstream: grpc-go, internal/grpcutil/encode_duration.go */
function grpcTimeout(ms: number): Readonly<Record<string, string>> {
  if (ms === Number.POSITIVE_INFINITY) return {}
  const whole = Math.ceil(ms)
  return {'grpc-timeout': whole < 1e8 ? `${whole}m` : `${Math.ceil(ms / 1000)}S`}
}
