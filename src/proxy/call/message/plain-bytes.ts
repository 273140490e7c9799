// A message's bytes without compression. gRPC servers and clients of a node know gzip and no other.
import {gunzipSync} from 'node:zlib'
import {fieldValue, type HeaderField} from '../../../http2/header-field.ts'
import type {FramedMessage} from './message-splitter.ts'
import {Unreadable} from './unreadable.ts'

/** Larger messages are not looked at: they pass. */
export const largestMessage = 64 * 1024 * 1024

/** @throws Unreadable */
export function plainBytes({compressed, bytes}: FramedMessage, fields: readonly HeaderField[]): Uint8Array {
  if (!compressed) return bytes
  const encoding = fieldValue(fields, 'grpc-encoding') ?? 'identity'
  if (encoding === 'identity') return bytes
  if (encoding !== 'gzip') throw new Unreadable(`it is compressed with ${encoding}, which is not known`)
  try {
    // Not in a thread of its own: on the simulated clock nobody would wait for that.
    return gunzipSync(bytes, {maxOutputLength: largestMessage})
  } catch (error) {
    throw new Unreadable(error instanceof RangeError ? tooLarge : 'its compression is broken')
  }
}

export const tooLarge = 'it has more than 64 MiB'
