// What is wrong with the path of a field, or with its value, in messages that we can read.
import {type DescMessage, fromJson, getOption, type JsonValue, ScalarType} from '@bufbuild/protobuf'
import {nearest} from '../../base/nearest.ts'
import {type Path, pathWords} from '../../base/yaml/path-words.ts'
import {type Problem, shown} from '../../base/yaml/problem.ts'
import {csi_secret as csiSecret} from '../../wire/gen/csi_pb.ts'
import {type FieldAt, fieldAt} from './field-at.ts'

/** What a field is to be, or what it is to be like. */
export type Value = {readonly is: unknown} | {readonly like: unknown}

/** @param messages of which one must have it @param path where it was written */
export function wrongField(messages: readonly DescMessage[], field: string, value: Value, path: Path): readonly Problem[] {
  return wrongInAll(messages, path, 'is' in value ? value.is : value.like, (message) => {
    const at = fieldAt(message, field)
    if (typeof at === 'string') return {must: at, ofKey: true}
    const must = 'is' in value ? wrongValue(at, value.is) : wrongPattern(at, value.like)
    return must === undefined ? undefined : {must, ofKey: false}
  })
}

export function wrongList(messages: readonly DescMessage[], list: string, path: Path): readonly Problem[] {
  return wrongInAll(messages, path, list, (message) => {
    const at = fieldAt(message, list)
    if (typeof at === 'string') return {must: at, ofKey: false}
    return at.field.fieldKind === 'list' && !at.isEntry ? undefined : {must: 'the path of a list', ofKey: false}
  })
}

interface Wrong {
  readonly must: string
  /** It is the path that is wrong, and not the value. */
  readonly ofKey: boolean
}

function wrongInAll(
  messages: readonly DescMessage[],
  path: Path,
  value: unknown,
  look: (message: DescMessage) => Wrong | undefined,
): readonly Problem[] {
  const all = messages.map(look)
  const [first] = all
  if (first === undefined || all.includes(undefined)) return []
  const {must, ofKey} = first
  const is = ofKey ? path.at(-1) : value
  return [{what: `${ofKey ? 'the key ' : ''}${pathWords(path)} must be ${must}: it is ${shown(is)}`, path, ofKey}]
}

/** Only of an enum it is known what there can be. Nobody looks at secrets: which keys there are is none. */
function wrongPattern(at: FieldAt, pattern: unknown): string | undefined {
  if (getOption(at.field, csiSecret) && pattern !== '*') return "'*', as secrets are not looked at"
  return at.field.enum === undefined || `${pattern}`.includes('*') ? undefined : wrongValue(at, pattern)
}

/** Undefined when the field can have it. */
function wrongValue({field, isEntry}: FieldAt, value: unknown): string | undefined {
  if (field.fieldKind === 'list' && !isEntry) return Array.isArray(value) ? undefined : 'a list'
  if (field.fieldKind === 'map' && !isEntry) return isMap(value) ? undefined : 'a map'
  if (field.enum !== undefined) {
    const names = field.enum.values.map(({name}) => name)
    if (typeof value === 'number' || names.includes(`${value}`)) return undefined
    const near = nearest(`${value}`, names)
    return near === undefined ? `one of ${names.join(', ')}` : `a value of ${field.enum.name} ('${near}' may be meant)`
  }
  if (field.message !== undefined) return wrongMessage(field.message, value)
  switch (field.scalar) {
    case ScalarType.STRING:
      return typeof value === 'string' ? undefined : 'a text'
    case ScalarType.BYTES:
      return typeof value === 'string' ? undefined : 'a text in base64'
    case ScalarType.BOOL:
      return typeof value === 'boolean' ? undefined : 'true or false'
    default:
      return typeof value === 'number' || /^-?\d+$/.test(`${value}`) ? undefined : 'a number'
  }
}

function wrongMessage(message: DescMessage, value: unknown): string | undefined {
  try {
    fromJson(message, value as JsonValue)
    return undefined
  } catch {
    return `a ${message.name} as JSON has it`
  }
}

const isMap = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
