// Foreign errors of a call are converted here, once: connect's and the ones of node:http2 below it.
import {Code, ConnectError} from '@connectrpc/connect'
import {type FailureKind, type RpcCode, RpcFailure} from './rpc-failure.ts'

/** @param method for the message: 'ListPodSandbox'. */
export function toRpcFailure(error: unknown, method: string): RpcFailure {
  if (error instanceof RpcFailure) return error
  // A signal's reason comes back as the cause of connect's error.
  if (error instanceof ConnectError && error.cause instanceof RpcFailure) return error.cause
  const foreign = ConnectError.from(error)
  const code = rpcCodes[foreign.code]
  const kind = kindOf(foreign)
  return new RpcFailure(code, kind, sentence(foreign, code, kind, method), error)
}

const rpcCodes: Readonly<Record<Code, RpcCode>> = {
  [Code.Canceled]: 'CANCELLED',
  [Code.Unknown]: 'UNKNOWN',
  [Code.InvalidArgument]: 'INVALID_ARGUMENT',
  [Code.DeadlineExceeded]: 'DEADLINE_EXCEEDED',
  [Code.NotFound]: 'NOT_FOUND',
  [Code.AlreadyExists]: 'ALREADY_EXISTS',
  [Code.PermissionDenied]: 'PERMISSION_DENIED',
  [Code.ResourceExhausted]: 'RESOURCE_EXHAUSTED',
  [Code.FailedPrecondition]: 'FAILED_PRECONDITION',
  [Code.Aborted]: 'ABORTED',
  [Code.OutOfRange]: 'OUT_OF_RANGE',
  [Code.Unimplemented]: 'UNIMPLEMENTED',
  [Code.Internal]: 'INTERNAL',
  [Code.Unavailable]: 'UNAVAILABLE',
  [Code.DataLoss]: 'DATA_LOSS',
  [Code.Unauthenticated]: 'UNAUTHENTICATED',
}

function kindOf(error: ConnectError): FailureKind {
  const text = error.rawMessage
  // Ours (connect's readMaxBytes) and the server's (grpc-go: "trying to send message larger than max").
  if (error.code === Code.ResourceExhausted && /larger than|exceed/i.test(text)) return 'too-large'
  if (/^HTTP \d+$|^unsupported content type|^protocol error: missing/.test(text)) return 'not-grpc'
  if (error.code === Code.Unimplemented) return 'no-service'
  if (
    /^protocol error: (incomplete|promised)|http\/2 (stream|session)|ECONNRESET|EPIPE|premature close|session has been destroyed/i.test(
      text,
    )
  )
    return 'lost'
  return 'answered'
}

function sentence(error: ConnectError, code: RpcCode, kind: FailureKind, method: string): string {
  const said = error.rawMessage.trim() || 'no message'
  switch (kind) {
    case 'not-grpc':
      return `it answered ${method} with something other than gRPC (${said})`
    case 'no-service':
      return `it does not implement ${method} (${said})`
    case 'too-large':
      return `the answer to ${method} is too large (${said})`
    case 'lost':
      return `the connection broke during ${method} (${said})`
    default:
      return `it answered ${method} with ${code}: ${said}`
  }
}
