// Why a call of a real server failed, in the words that grpc-go has for it: they get into statuses and logs. Upstream: grpc-go, internal/transport
import {Code, ConnectError} from '@connectrpc/connect'
import {CallFailure} from '../../kubelet/port.ts'
import {type FailureKind, RpcFailure} from '../../wire/rpc-failure.ts'
import {toRpcFailure} from '../../wire/status.ts'

/** @param path of the socket @param lost the connection is not there any more */
export function callFailure(error: unknown, path: string, lost = false): CallFailure {
  if (error instanceof CallFailure) return error
  // The socket could not even be opened.
  if (error instanceof RpcFailure) return unavailable(dialing(path, error.kind))
  const {code, kind} = toRpcFailure(error, '')
  const said = ConnectError.from(error).rawMessage
  const [, reset] = /^http\/2 stream closed with error code (\w+)/.exec(said) ?? []
  // Node.js says the same of a stream whose connection broke.
  if (reset !== undefined && !lost) return new CallFailure(code, `stream terminated by RST_STREAM with error code: ${reset}`)
  return kind === 'lost' || isBroken(error) ? unavailable('error reading from server: EOF') : new CallFailure(code, said)
}

const unavailable = (message: string) => new CallFailure('UNAVAILABLE', message)

function dialing(path: string, kind: FailureKind): string {
  const reason = reasons[kind]
  if (reason === undefined) return 'error reading server preface: EOF'
  return `connection error: desc = "transport: Error while dialing: dial unix ${path}: connect: ${reason}"`
}

const reasons: Partial<Readonly<Record<FailureKind, string>>> = {
  missing: 'no such file or directory',
  refused: 'connection refused',
  forbidden: 'permission denied',
  'not-a-socket': 'connection refused',
}

/** connect calls it ABORTED, which a server may mean, too. */
const isBroken = (error: unknown): boolean =>
  error instanceof ConnectError && error.code === Code.Aborted && error.cause instanceof Error && 'code' in error.cause
