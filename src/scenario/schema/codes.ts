// The codes with which calls end: of one that does not exist, `never` would hold for ever. gRPC's, and the reasons of the API server (metav1.StatusReason).
import {rpcCodes} from '../../wire/rpc-failure.ts'

const httpReasons = [
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'AlreadyExists',
  'Conflict',
  'Gone',
  'Invalid',
  'ServerTimeout',
  'StoreReadError',
  'Timeout',
  'TooManyRequests',
  'BadRequest',
  'MethodNotAllowed',
  'NotAcceptable',
  'RequestEntityTooLarge',
  'UnsupportedMediaType',
  'InternalError',
  'Expired',
  'ServiceUnavailable',
] as const

/** What a call to that service may end with; the lab's clients of the API server have gRPC's words for what never got there. */
export const codesOf = (to: 'api' | 'cri' | 'csi' | undefined): readonly string[] =>
  to === 'cri' || to === 'csi' ? rpcCodes : [...rpcCodes, ...httpReasons]
