// What the parts of the service share.
import type {HandlerContext} from '@connectrpc/connect'
import type {Clock} from '../../base/clock.ts'
import type {CriMethods} from '../../kubelet/cri.ts'
import type {CriPort} from '../../kubelet/ports.ts'
import type {RuntimeWorld} from '../runtime-world.ts'
import type {ContainerLogs} from './container-logs.ts'
import type {Details} from './details.ts'
import {toConnectError} from './failures.ts'
import {wholeId} from './filters.ts'

export interface CriServiceOptions {
  /** What stands in front of the fake, with its rules and its timeline. */
  readonly port: CriPort
  /** The fake's. */
  readonly world: RuntimeWorld
  readonly clock: Clock
  /**
   * How long the client waits, in milliseconds of the lab's clock, where the server's HTTP/2 keeps the deadline from connect.
   * Default: connect knows it, and aborts the signal of the call.
   */
  readonly timeoutOf?: (context: HandlerContext) => number | undefined
}

export interface CriContext extends CriServiceOptions {
  readonly details: Details
  readonly logs: ContainerLogs
}

/** Makes a call of the model's through the port, on behalf of a client of the socket. */
export async function through<Method extends keyof CriMethods & string>(
  {port, timeoutOf = () => undefined}: CriContext,
  context: HandlerContext,
  method: Method,
  request: CriMethods[Method]['request'],
): Promise<CriMethods[Method]['response']> {
  const timeout = timeoutOf(context) ?? Number.POSITIVE_INFINITY
  try {
    // Clients tell what is left of theirs to the microsecond; the lab waits with one sleeper for all that are as long.
    return await port.call(method, request, {timeoutMs: Math.ceil(timeout / 10) * 10, signal: context.signal})
  } catch (error) {
    throw toConnectError(error)
  }
}

export const sandboxId = ({world}: CriContext, id: string): string => wholeId(id, world.sandboxes)
export const containerId = ({world}: CriContext, id: string): string => wholeId(id, world.containers)
