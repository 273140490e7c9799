// A gRPC status in header fields: grpc-status, grpc-message and grpc-status-details-bin (gRPC over HTTP/2, "Responses").
import {BinaryWriter, WireType} from '@bufbuild/protobuf/wire'
import type {StatusDetail} from '../../../faults/plan.ts'
import {fieldValue, type HeaderField} from '../../../http2/header-field.ts'
import {codeName, codeNumber} from './codes.ts'

export interface GrpcStatus {
  readonly code: string
  readonly message: string
  readonly details?: readonly StatusDetail[]
}

export function statusFields({code, message, details = []}: GrpcStatus): HeaderField[] {
  const number = codeNumber(code)
  const fields = [{name: 'grpc-status', value: `${number}`}]
  if (message !== '') fields.push({name: 'grpc-message', value: encodeMessage(message)})
  if (details.length > 0) {
    const value = Buffer.from(rpcStatus(number, message, details))
      .toString('base64')
      .replace(/=+$/, '')
    fields.push({name: 'grpc-status-details-bin', value})
  }
  return fields
}

/** A reply that is one block of fields. It has the request's content type, as grpc-go's. */
export function trailersOnly(status: GrpcStatus, request: readonly HeaderField[]): HeaderField[] {
  return [...replyHead(request), ...statusFields(status)]
}

export function replyHead(request: readonly HeaderField[]): HeaderField[] {
  return [
    {name: ':status', value: '200'},
    {name: 'content-type', value: fieldValue(request, 'content-type') ?? 'application/grpc'},
  ]
}

/** What a reply says in its last fields; undefined when it says nothing. */
export function statusIn(fields: readonly HeaderField[]): {readonly code: string; readonly message: string} | undefined {
  const code = fieldValue(fields, 'grpc-status')
  if (code === undefined) return undefined
  return {code: /^\d+$/.test(code) ? codeName(Number(code)) : 'UNKNOWN', message: decodeMessage(fieldValue(fields, 'grpc-message') ?? '')}
}

/** What grpc-go makes of a reply that ends without grpc-status (HTTPStatusConvTab). */
export function codeOfHttp(status: string | undefined): string {
  return httpCodes[status ?? ''] ?? 'UNKNOWN'
}

const httpCodes: Readonly<Record<string, string>> = {
  // A server that closed the stream without trailers.
  200: 'INTERNAL',
  400: 'INTERNAL',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'UNIMPLEMENTED',
  429: 'UNAVAILABLE',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
}

/** Printable ASCII but '%' stands for itself, all else is UTF-8 in percents. */
function encodeMessage(message: string): string {
  return message.replace(/[^ -$&-~]+/gu, (rest) =>
    [...Buffer.from(rest)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}

/** A percent that begins no pair of digits stands for itself; header values are octets. */
function decodeMessage(value: string): string {
  if (!/[%\x80-\xff]/.test(value)) return value
  const octets = value.replace(/%([0-9a-fA-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
  return Buffer.from(octets, 'latin1').toString()
}

/** google.rpc.Status: code 1, message 2, details 3; google.protobuf.Any: type_url 1, value 2. */
function rpcStatus(code: number, message: string, details: readonly StatusDetail[]): Uint8Array {
  const writer = new BinaryWriter()
  if (code !== 0) writer.tag(1, WireType.Varint).int32(code)
  if (message !== '') writer.tag(2, WireType.LengthDelimited).string(message)
  for (const {type, value} of details) {
    writer.tag(3, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).string(type.includes('/') ? type : `type.googleapis.com/${type}`)
    writer.tag(2, WireType.LengthDelimited).bytes(Buffer.from(value, 'base64'))
    writer.join()
  }
  return writer.finish()
}
