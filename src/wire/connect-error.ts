// A refusal of ours as connect's servers answer it.
import {Code, ConnectError} from '@connectrpc/connect'
import {rpcCodes} from './rpc-failure.ts'

/** @param code gRPC's name of it; another name is UNKNOWN */
export function connectError(code: string, message: string): ConnectError {
  // Connect's numbers are gRPC's, which begin with OK.
  const number = (rpcCodes as readonly string[]).indexOf(code) + 1
  return new ConnectError(message, number === 0 ? Code.Unknown : number)
}
