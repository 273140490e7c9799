// As much of protobuf and gRPC as the calls of a test need: one unary call on a connection of its own, as the kubelet makes each CSI call.
import type {IncomingHttpHeaders, IncomingHttpStatusHeader} from 'node:http2'
import {systemClock} from '../../src/base/clock.ts'
import {openSession} from '../../src/wire/session.ts'

export type Value = string | number | boolean | ReadonlyMap<string, string> | Fields | readonly Value[]
/** A message: field numbers to values. A map is of strings, an array a repeated field; false, 0 and empty are left out, as proto3 does. */
export interface Fields {
  readonly [field: number]: Value | undefined
}

/** A reply: field numbers to what came, in order; a number, or bytes that are a text or a message. */
export type Reply = ReadonlyMap<number, readonly (number | Buffer)[]>

class CallFailure extends Error {
  readonly code: number
  /** The server's own words. */
  readonly said: string
  constructor(method: string, code: number, said: string) {
    super(`${method} ended with code ${code}: ${said}`)
    this.code = code
    this.said = said
  }
}

/** @throws CallFailure when the server answers with another code than OK. */
export async function callUnary(socket: string, method: string, request: Fields, timeoutMs = 120_000): Promise<Reply> {
  const session = await openSession(socket, {clock: systemClock, connectTimeoutMs: 5000})
  try {
    const stream = session.request({
      ':method': 'POST',
      ':path': method,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-timeout': `${timeoutMs}m`,
    })
    const heads: (IncomingHttpHeaders & IncomingHttpStatusHeader)[] = []
    stream.on('response', (head) => heads.push(head))
    stream.on('trailers', (head) => heads.push(head))
    stream.end(framed(encode(request)))
    const body = Buffer.concat(await stream.toArray())
    const head = heads.find((each) => each['grpc-status'] !== undefined)
    const code = Number(head?.['grpc-status'] ?? 2)
    if (code !== 0) throw new CallFailure(method, code, decodeURIComponent(`${head?.['grpc-message'] ?? 'the stream ended'}`))
    return decode(body.subarray(5))
  } finally {
    session.destroy()
  }
}

function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}

function encode(message: Fields): Buffer {
  return Buffer.concat(Object.entries(message).flatMap(([field, value]) => (value === undefined ? [] : encodeField(Number(field), value))))
}

function encodeField(field: number, value: Value): Buffer[] {
  if (value instanceof Map) return [...value].flatMap(([key, text]) => lengthDelimited(field, encode({1: key, 2: text})))
  if (Array.isArray(value)) return value.flatMap((each) => encodeField(field, each))
  if (typeof value === 'string') return value === '' ? [] : lengthDelimited(field, Buffer.from(value))
  if (typeof value === 'object') return lengthDelimited(field, encode(value as Fields))
  return Number(value) === 0 ? [] : [varint(field * 8), varint(Number(value))]
}

function lengthDelimited(field: number, bytes: Buffer): Buffer[] {
  return [varint(field * 8 + 2), varint(bytes.length), bytes]
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left])
    bytes.push((left % 128) + 128)
  }
}

export function decode(bytes: Buffer): Reply {
  const fields = new Map<number, (number | Buffer)[]>()
  let at = 0
  const next = () => {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0
      value += (byte % 128) * factor
      if (byte < 128) return value
    }
  }
  while (at < bytes.length) {
    const tag = next()
    const number = next()
    if (tag % 8 === 2) at += number
    const value = tag % 8 === 2 ? bytes.subarray(at - number, at) : number
    fields.set(Math.floor(tag / 8), [...(fields.get(Math.floor(tag / 8)) ?? []), value])
  }
  return fields
}

export function textOf(reply: Reply, field: number): string {
  return `${reply.get(field)?.[0] ?? ''}`
}
