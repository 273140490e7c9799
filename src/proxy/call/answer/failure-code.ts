// What gRPC clients make of a stream that failed (grpc-go: http2ErrConvTab).
import {errorCodes} from '../../../http2/fault.ts'
import {StreamFailure} from '../../../http2/stream-failure.ts'

export function codeOfReset(code: number): string {
  switch (code) {
    case errorCodes.REFUSED_STREAM:
      return 'UNAVAILABLE'
    case errorCodes.CANCEL:
      return 'CANCELLED'
    case errorCodes.FLOW_CONTROL_ERROR:
    case errorCodes.ENHANCE_YOUR_CALM:
      return 'RESOURCE_EXHAUSTED'
    case errorCodes.INADEQUATE_SECURITY:
      return 'PERMISSION_DENIED'
    default:
      return 'INTERNAL'
  }
}

export function codeOfFailure(error: unknown): {readonly code: string; readonly byUs: boolean} {
  if (!(error instanceof StreamFailure)) return {code: 'INTERNAL', byUs: false}
  const byUs = error.by === 'us'
  return {code: error.by === 'connection' ? 'UNAVAILABLE' : codeOfReset(error.code), byUs}
}
