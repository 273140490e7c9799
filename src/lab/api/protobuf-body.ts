// The few bodies that kubectl sends in protobuf whatever it is told: those of `kubectl create namespace`, `configmap`, `secret` and `serviceaccount`,
// and the options of a delete. Upstream: apimachinery pkg/runtime/serializer/protobuf, and the generated.proto of each
import {BinaryReader, WireType} from '@bufbuild/protobuf/wire'
import type {Json, JsonObject} from './json.ts'

type Type = 'string' | 'bytes' | 'bool' | 'int' | 'strings' | 'map of strings' | 'map of bytes' | Shape

/** Names and types by their field numbers; what is not named is left out. */
interface Shape {
  readonly [field: number]: readonly [name: string, type: Type]
}

const metadata: Shape = {
  1: ['name', 'string'],
  2: ['generateName', 'string'],
  3: ['namespace', 'string'],
  11: ['labels', 'map of strings'],
  12: ['annotations', 'map of strings'],
  14: ['finalizers', 'strings'],
}

const preconditions: Shape = {1: ['uid', 'string'], 2: ['resourceVersion', 'string']}

const shapes: Readonly<Record<string, Shape | undefined>> = {
  Namespace: {1: ['metadata', metadata]},
  ServiceAccount: {1: ['metadata', metadata], 4: ['automountServiceAccountToken', 'bool']},
  ConfigMap: {1: ['metadata', metadata], 2: ['data', 'map of strings'], 3: ['binaryData', 'map of bytes'], 4: ['immutable', 'bool']},
  Secret: {
    1: ['metadata', metadata],
    2: ['data', 'map of bytes'],
    3: ['type', 'string'],
    4: ['stringData', 'map of strings'],
    5: ['immutable', 'bool'],
  },
  DeleteOptions: {
    1: ['gracePeriodSeconds', 'int'],
    2: ['preconditions', preconditions],
    4: ['propagationPolicy', 'string'],
    5: ['dryRun', 'strings'],
  },
}

const magic = 'k8s\0'

/** Undefined: it is none of them. */
export function readProtobuf(body: Uint8Array): JsonObject | undefined {
  const start = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (start.toString('latin1', 0, magic.length) !== magic) return undefined
  try {
    const envelope: Shape = {1: ['type', {1: ['apiVersion', 'string'], 2: ['kind', 'string']}], 2: ['raw', 'bytes']}
    const {type = {}, raw = ''} = readMessage(start.subarray(magic.length), envelope)
    const {kind} = type as JsonObject
    const shape = shapes[String(kind)]
    return shape === undefined ? undefined : {...(type as JsonObject), ...readMessage(Buffer.from(String(raw), 'base64'), shape)}
  } catch {
    // It is cut short, or no protobuf.
    return undefined
  }
}

function readMessage(bytes: Uint8Array, shape: Shape): JsonObject {
  const reader = new BinaryReader(bytes)
  const message: Record<string, Json> = {}
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag()
    const [name, type] = shape[number] ?? []
    if (name === undefined || type === undefined || !fits(type, wireType)) reader.skip(wireType, number)
    else message[name] = readField(reader, type, message[name])
  }
  return message
}

const fits = (type: Type, wireType: WireType): boolean =>
  wireType === (type === 'bool' || type === 'int' ? WireType.Varint : WireType.LengthDelimited)

function readField(reader: BinaryReader, type: Type, before: Json | undefined): Json {
  if (typeof type === 'object') return readMessage(reader.bytes(), type)
  switch (type) {
    case 'string':
      return reader.string()
    case 'bytes':
      return Buffer.from(reader.bytes()).toString('base64')
    case 'bool':
      return reader.bool()
    case 'int':
      return Number(reader.int64())
    case 'strings':
      return [...((before as readonly Json[] | undefined) ?? []), reader.string()]
    case 'map of strings':
    case 'map of bytes': {
      const of = type === 'map of strings' ? 'string' : 'bytes'
      const {key = '', value = ''} = readMessage(reader.bytes(), {1: ['key', 'string'], 2: ['value', of]})
      return {...(before as JsonObject | undefined), [String(key)]: value}
    }
  }
}
