// Refusals of the lab as gRPC has them.
import {Code, ConnectError} from '@connectrpc/connect'

export const notFound = (what: 'sandbox' | 'container', id: string): ConnectError =>
  new ConnectError(`an error occurred when try to find ${what} "${id}": not found`, Code.NotFound)

/** What containerd wraps in words and gives no code of its own. */
export const unknown = (message: string): ConnectError => new ConnectError(message, Code.Unknown)

export const unimplemented = (message: string): ConnectError => new ConnectError(message, Code.Unimplemented)
