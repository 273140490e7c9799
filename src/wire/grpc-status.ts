// A status that is sent without a handler's help, as grpc-go does: in one block of fields, with nothing else (trailers-only).
import type {Code} from '@connectrpc/connect'
import type {HeaderField} from '../http2/header-field.ts'

export interface EarlyStatus {
  readonly code: Code
  readonly message: string
  /** Default 200. */
  readonly httpStatus?: number
}

export function trailersOnly({code, message, httpStatus = 200}: EarlyStatus): HeaderField[] {
  return [
    {name: ':status', value: String(httpStatus)},
    {name: 'content-type', value: 'application/grpc'},
    {name: 'grpc-status', value: String(code)},
    {name: 'grpc-message', value: encodeURIComponent(message.toWellFormed())},
  ]
}
