// Any frame, for property tests.
import fc from 'fast-check'
import type {Frame, Priority} from '../../src/http2/frame.ts'

const streamId = fc.integer({min: 1, max: 2 ** 31 - 1})
const uint32 = fc.integer({min: 0, max: 2 ** 32 - 1})
const octets = fc.uint8Array({maxLength: 300})
const padding = fc.integer({min: 0, max: 255})
const priority: fc.Arbitrary<Priority> = fc.record({
  exclusive: fc.boolean(),
  dependsOn: fc.integer({min: 0, max: 2 ** 31 - 1}),
  weight: fc.integer({min: 0, max: 255}),
})

/** What may be missing is there or not, never undefined. */
function record<T extends object, O extends object>(must: {[K in keyof T]: fc.Arbitrary<T[K]>}, may: {[K in keyof O]: fc.Arbitrary<O[K]>}) {
  return fc.tuple(fc.record(must), fc.record(may, {requiredKeys: []})).map(([a, b]) => ({...a, ...b}))
}

export const anyFrame = fc.oneof(
  record({type: fc.constant('DATA'), streamId, endStream: fc.boolean(), data: octets}, {padding}),
  record(
    {type: fc.constant('HEADERS'), streamId, endStream: fc.boolean(), endHeaders: fc.boolean(), fragment: octets},
    {priority, padding},
  ),
  fc.record({type: fc.constant('PRIORITY'), streamId, priority}),
  fc.record({type: fc.constant('RST_STREAM'), streamId, code: uint32}),
  fc.record({
    type: fc.constant('SETTINGS'),
    ack: fc.constant(false),
    values: fc.array(fc.tuple(fc.integer({min: 0, max: 65_535}), uint32), {maxLength: 8}),
  }),
  fc.constant({type: 'SETTINGS', ack: true, values: []}),
  record({type: fc.constant('PUSH_PROMISE'), streamId, promisedId: streamId, endHeaders: fc.boolean(), fragment: octets}, {padding}),
  fc.record({type: fc.constant('PING'), ack: fc.boolean(), data: fc.uint8Array({minLength: 8, maxLength: 8})}),
  fc.record({type: fc.constant('GOAWAY'), lastStreamId: fc.integer({min: 0, max: 2 ** 31 - 1}), code: uint32, debug: octets}),
  fc.record({type: fc.constant('WINDOW_UPDATE'), streamId: fc.nat(2 ** 31 - 1), increment: fc.integer({min: 1, max: 2 ** 31 - 1})}),
  fc.record({type: fc.constant('CONTINUATION'), streamId, endHeaders: fc.boolean(), fragment: octets}),
  fc.record({
    type: fc.constant('UNKNOWN'),
    kind: fc.integer({min: 10, max: 255}),
    flags: fc.integer({min: 0, max: 255}),
    streamId: fc.nat(2 ** 31 - 1),
    payload: octets,
  }),
) as fc.Arbitrary<Frame>

/** The bytes in pieces of these lengths, over and over. */
export function chunked(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1
    chunks.push(bytes.subarray(at, at + length))
    at += length
  }
  return chunks
}
