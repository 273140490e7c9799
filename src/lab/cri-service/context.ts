// What the parts of the service share.
import type {HandlerContext} from '@connectrpc/connect'
import type {Clock} from '../../base/clock.ts'
import type {CriMethods} from '../../kubelet/cri.ts'
import type {CriPort} from '../../kubelet/ports.ts'
import {throughPort, toConnectError} from '../port/socket-call.ts'
import type {RuntimeWorld} from '../runtime/runtime-world.ts'
import type {ContainerLogs} from './container-logs.ts'
import type {Details} from './details.ts'
import {wholeId} from './filters.ts'

export interface CriServiceOptions {
  /** What stands in front of the fake, with its rules and its timeline. */
  readonly port: CriPort
  /** The fake's. */
  readonly world: RuntimeWorld
  readonly clock: Clock & {readonly scale?: number}
}

export interface CriContext extends CriServiceOptions {
  readonly details: Details
  readonly logs: ContainerLogs
}

/** Makes a call of the model's through the port, on behalf of a client of the socket. */
export async function through<Method extends keyof CriMethods & string>(
  service: CriContext,
  context: HandlerContext,
  method: Method,
  request: CriMethods[Method]['request'],
): Promise<CriMethods[Method]['response']> {
  try {
    return await throughPort(service, method, request, context)
  } catch (error) {
    throw toConnectError(error)
  }
}

export const sandboxId = ({world}: CriContext, id: string): string => wholeId(id, world.sandboxes)
export const containerId = ({world}: CriContext, id: string): string => wholeId(id, world.containers)
