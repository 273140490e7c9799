// A message with each of its fields set, whatever fields its .proto has, so that a new field is covered on the day it comes.
import type {DescField, DescMessage, Message} from '@bufbuild/protobuf'
import {ScalarType} from '@bufbuild/protobuf'
import {type ReflectMessage, reflect} from '@bufbuild/protobuf/reflect'

/** Texts are the field's name and `mark`; 64-bit numbers are a moment in nanoseconds; an enum has its last value. */
export function filled<T extends Message>(schema: DescMessage, mark: string): T {
  return fill(reflect(schema), mark).message as T
}

function fill(message: ReflectMessage, mark: string): ReflectMessage {
  for (const field of message.fields) {
    if (field.fieldKind === 'list') message.get(field).add(element(field, mark))
    else if (field.fieldKind === 'map') message.get(field).set(`${field.name}/${mark}`, element(field, mark))
    else message.set(field, element(field, mark))
  }
  return message
}

function element(field: DescField, mark: string): unknown {
  if (field.message !== undefined) return fill(reflect(field.message), mark)
  if (field.enum !== undefined) return field.enum.values.at(-1)?.number
  switch (field.scalar) {
    case ScalarType.STRING:
      return `${field.name}-${mark}`
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return 1_600_000_000_123_456_789n
    case ScalarType.BOOL:
      return true
    case ScalarType.BYTES:
      return new TextEncoder().encode(mark)
    default:
      return 7
  }
}
