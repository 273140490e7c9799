// The reasons in the google.rpc.ErrorInfo of a google.rpc.Status: Status.details is field 3, Any.value field 2, ErrorInfo.reason field 1.
import {decode} from '../csi-calls-wire.ts'

/** @param bytes the status as grpc-status-details-bin has it */
export function reasonsOf(bytes: Uint8Array | undefined): string[] {
  if (bytes === undefined) return []
  const details = decode(Buffer.from(bytes)).get(3) ?? []
  return details.flatMap((detail) => fieldOf(detail, 2).flatMap((value) => fieldOf(value, 1).map(String)))
}

const fieldOf = (message: number | Buffer, field: number) => (typeof message === 'number' ? [] : (decode(message).get(field) ?? []))
