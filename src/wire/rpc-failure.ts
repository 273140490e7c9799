// A call that did not succeed, in words of ours. Every foreign error becomes one at the edge: status.ts, session.ts.

/** gRPC's status codes of calls that failed. */
export const rpcCodes = [
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const

export type RpcCode = (typeof rpcCodes)[number]

/** What went wrong, for whoever wants to say what to do next. */
export type FailureKind =
  /** No such file. */
  | 'missing'
  /** The socket is there and nobody listens. */
  | 'refused'
  | 'forbidden'
  | 'not-a-socket'
  /** The connection was taken and nothing came. */
  | 'silent'
  /** What came is not gRPC. */
  | 'not-grpc'
  /** gRPC, but not the service we asked for. */
  | 'no-service'
  | 'too-large'
  /** The connection broke. */
  | 'lost'
  /** The server answered with a status of its own. */
  | 'answered'

export class RpcFailure extends Error {
  override readonly name = 'RpcFailure'
  readonly code: RpcCode
  readonly kind: FailureKind

  /** @param message half a sentence that fits after a colon: 'nobody listens on /run/x.sock'. */
  constructor(code: RpcCode, kind: FailureKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : {cause})
    this.code = code
    this.kind = kind
  }
}
