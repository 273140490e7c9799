// Refusals of the lab as gRPC has them.
import {Code, ConnectError} from '@connectrpc/connect'
import {CallFailure} from '../../kubelet/port.ts'
import {rpcCodes} from '../../wire/rpc-failure.ts'

/** gRPC counts its codes from 1 in the order of rpcCodes, and so does connect. */
export function toConnectError(error: unknown): unknown {
  if (!(error instanceof CallFailure)) return error
  const index = (rpcCodes as readonly string[]).indexOf(error.code)
  return new ConnectError(error.message, index < 0 ? Code.Unknown : ((index + 1) as Code))
}

export const notFound = (what: 'sandbox' | 'container', id: string): ConnectError =>
  new ConnectError(`an error occurred when try to find ${what} "${id}": not found`, Code.NotFound)

/** What containerd wraps in words and gives no code of its own. */
export const unknown = (message: string): ConnectError => new ConnectError(message, Code.Unknown)

export const unimplemented = (message: string): ConnectError => new ConnectError(message, Code.Unimplemented)
