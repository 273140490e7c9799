// A call that came in by a socket goes on as a call at a port, with its caller's deadline and its end; what the port says goes back as gRPC's status.
import type {HandlerContext, Interceptor} from '@connectrpc/connect'
import {CallFailure, type Methods, type Port} from '../kubelet/port.ts'
import {connectError} from '../wire/connect-error.ts'

/** A client that is at its deadline says so by a reset: it may come a little earlier than we count. */
const slackMs = 100

/** Callers count real time, and the lab's clock may run faster. */
export interface CallerTime {
  /** Milliseconds of real time, since whenever. */
  readonly now: () => number
  /** How long the caller waits, in milliseconds, where the server's HTTP/2 keeps that from connect. Default: connect's answer. */
  readonly timeoutOf?: ((context: HandlerContext) => number | undefined) | undefined
}

/**
 * The deadline is the caller's alone: when it has passed, the caller leaves.
 * @throws CallFailure
 */
export async function throughPort<M extends Methods, Method extends keyof M & string>(
  port: Port<M>,
  method: Method,
  request: M[Method]['request'],
  context: HandlerContext,
  {now, timeoutOf = (each) => each.timeoutMs()}: CallerTime,
): Promise<M[Method]['response']> {
  const endsAt = now() + (timeoutOf(context) ?? Number.POSITIVE_INFINITY)
  const caller = new AbortController()
  const leave = () => caller.abort(now() >= endsAt - slackMs ? tooLate() : left())
  if (context.signal.aborted) leave()
  context.signal.addEventListener('abort', leave, {once: true})
  try {
    return await port.call(method, request, {timeoutMs: Number.POSITIVE_INFINITY, signal: caller.signal})
  } finally {
    context.signal.removeEventListener('abort', leave)
  }
}

const tooLate = () => new CallFailure('DEADLINE_EXCEEDED', 'context deadline exceeded')
const left = () => new CallFailure('CANCELLED', 'context canceled')

/** Of a service: what it throws as a CallFailure is its status. */
export const withStatus: Interceptor = (next) => async (request) => {
  try {
    return await next(request)
  } catch (error) {
    throw error instanceof CallFailure ? connectError(error.code, error.message) : error
  }
}
