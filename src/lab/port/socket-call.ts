// A call that came in by a socket goes on as a call at a port, with its caller's deadline and its end; what the port says goes back as gRPC's status.
import type {HandlerContext, Interceptor} from '@connectrpc/connect'
import type {Clock} from '../../base/clock.ts'
import {CallFailure, type Methods, type Port} from '../../kubelet/port.ts'
import {callTimeout} from '../../wire/call-timeout.ts'
import {connectError} from '../../wire/connect-error.ts'

/** A client's clock and ours need not agree: who leaves that long before the deadline leaves because of it. */
const slackMs = 50

export interface SocketTarget<M extends Methods> {
  readonly port: Port<M>
  /** The lab's. Clients count real time, of which it may make more. */
  readonly clock: Clock & {readonly scale?: number}
}

/** @throws CallFailure */
export async function throughPort<M extends Methods, Method extends keyof M & string>(
  {port, clock}: SocketTarget<M>,
  method: Method,
  request: M[Method]['request'],
  {signal, values}: Pick<HandlerContext, 'signal' | 'values'>,
): Promise<M[Method]['response']> {
  const {scale = 1} = clock
  // Clients tell what is left of theirs to the microsecond; the lab has one sleeper for all that are as long.
  const timeoutMs = Math.ceil((values.get(callTimeout) ?? Number.POSITIVE_INFINITY) * scale)
  const begun = clock.now()
  const caller = new AbortController()
  const leave = () => caller.abort(clock.now() - begun >= timeoutMs - slackMs * scale ? tooLate() : left())
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, {once: true})
  try {
    return await port.call(method, request, {timeoutMs, signal: caller.signal})
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

const tooLate = () => new CallFailure('DEADLINE_EXCEEDED', 'context deadline exceeded')
const left = () => new CallFailure('CANCELLED', 'context canceled')

/** Of a service: what it throws as a CallFailure is its status. */
export const withStatus: Interceptor = (next) => async (request) => {
  try {
    return await next(request)
  } catch (error) {
    throw toConnectError(error)
  }
}

export function toConnectError(error: unknown): unknown {
  return error instanceof CallFailure ? connectError(error.code, error.message) : error
}
