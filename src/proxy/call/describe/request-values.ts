// A request as rules match it and people see it: plain values by their JSON names, without its secrets.
import {type DescField, type DescMessage, getOption, type Message} from '@bufbuild/protobuf'
import {type ReflectMessage, reflect} from '@bufbuild/protobuf/reflect'
import {mark} from '../../../node/redaction/mark.ts'
import {isSecretKey} from '../../../node/redaction/names.ts'
import {csi_secret as csiSecret} from '../../../wire/gen/csi_pb.ts'

/** 64-bit numbers are numbers where they are exact, enums have their names. Fields of messages that are there are all in it, unset ones too. */
export function requestValues(desc: DescMessage, message: Message): Readonly<Record<string, unknown>> {
  return valuesOf(reflect(desc, message))
}

function valuesOf(message: ReflectMessage): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const field of message.fields) {
    if ((field.oneof !== undefined || field.fieldKind === 'message') && !message.isSet(field)) continue
    values[field.jsonName] = isSecret(field) ? hidden(message, field) : shownValue(message, field)
  }
  return values
}

function shownValue(message: ReflectMessage, field: DescField): unknown {
  switch (field.fieldKind) {
    case 'message':
      return valuesOf(message.get(field))
    case 'enum':
      return enumName(field.enum, message.get(field))
    case 'scalar':
      return shownScalar(field.jsonName, message.get(field))
    case 'list': {
      const {listKind} = field
      return [...message.get(field)].map((item) => {
        if (listKind === 'message') return withoutEnv(field, valuesOf(item as ReflectMessage))
        return listKind === 'enum' ? enumName(field.enum, item as number) : shownScalar(field.jsonName, item)
      })
    }
    case 'map': {
      const {mapKind} = field
      return Object.fromEntries(
        [...message.get(field)].map(([key, item]) => [
          key,
          mapKind === 'message' ? valuesOf(item as ReflectMessage) : shownScalar(`${key}`, item),
        ]),
      )
    }
    default:
      return field satisfies never
  }
}

const enumName = (desc: NonNullable<DescField['enum']>, value: number): string | number => desc.value[value]?.name ?? value

function shownScalar(name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return BigInt.asIntN(54, value) === value ? Number(value) : `${value}`
  if (value instanceof Uint8Array) return `${value.length} bytes`
  return typeof value === 'string' && value !== '' && isSecretKey(name.slice(-200)) ? mark : value
}

/** Of runtime.v1.KeyValue in `envs`: nobody can tell which values are secret. */
function withoutEnv(field: DescField, entry: {readonly value?: unknown}): object {
  return field.name === 'envs' && entry.value !== '' ? {...entry, value: mark} : entry
}

function isSecret(field: DescField): boolean {
  return field.proto.options !== undefined && (field.proto.options.debugRedact || getOption(field, csiSecret))
}

/** Which keys there are is no secret. */
function hidden(message: ReflectMessage, field: DescField): unknown {
  if (field.fieldKind === 'map') return Object.fromEntries([...message.get(field).keys()].map((key) => [key, mark]))
  return message.isSet(field) ? mark : ''
}
