// A call that came in by a socket goes on as a call at a port, with its caller's deadline and its end; what the port says goes back as gRPC's status.
import type {HandlerContext, Interceptor} from '@connectrpc/connect'
import {CallFailure, type Methods, type Port} from '../kubelet/port.ts'
import {connectError} from '../wire/connect-error.ts'

/** A client that is at its deadline says so by its reset, which comes about when our own timer ends. */
const slackMs = 100

/**
 * The deadline is the caller's alone: it counts real time, and the lab's clock may run faster.
 * @throws CallFailure
 */
export async function throughPort<M extends Methods, Method extends keyof M & string>(
  port: Port<M>,
  method: Method,
  request: M[Method]['request'],
  context: Pick<HandlerContext, 'signal' | 'timeoutMs'>,
): Promise<M[Method]['response']> {
  const caller = new AbortController()
  const leave = () => caller.abort((context.timeoutMs() ?? Number.POSITIVE_INFINITY) <= slackMs ? tooLate() : left())
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
