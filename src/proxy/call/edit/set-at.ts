// Gives a value to each field that a path leads to. Values are what JSON has: enums by name or number, 64-bit numbers as numbers or texts.
import {type DescField, type DescMessage, fromJson, type JsonValue} from '@bufbuild/protobuf'
import {type ReflectList, type ReflectMap, type ReflectMessage, reflect} from '@bufbuild/protobuf/reflect'
import type {PathStep} from '../../../faults/match/field-path.ts'
import {Unreadable} from '../message/unreadable.ts'
import {fieldNamed, stepsOf} from './fields.ts'

/** Messages on the way that are not there are made. A null takes the field out. @throws Unreadable */
export function setAt(message: ReflectMessage, path: string, value: unknown): void {
  setBelow(message, stepsOf(path), 0, {path, value: exactNumbers(value)})
}

interface Setting {
  readonly path: string
  readonly value: JsonValue
}

function setBelow(message: ReflectMessage, steps: readonly PathStep[], from: number, setting: Setting): void {
  const step = steps[from]
  if (step === undefined || step === 'each') throw noField(setting)
  const field = fieldNamed(message.desc, step.key)
  const next = steps[from + 1]
  if (next === undefined) {
    if (setting.value === null) message.clear(field)
    else message.set(field, fieldValue(message.desc, field, setting.value, setting))
    return
  }
  switch (field.fieldKind) {
    case 'message': {
      const inner = message.isSet(field) ? message.get(field) : reflect(field.message)
      setBelow(inner, steps, from + 1, setting)
      message.set(field, inner)
      return
    }
    case 'list':
      setEntries(message, field, steps, from + 1, setting)
      return
    case 'map':
      setEntry(message, field, steps, from + 1, setting)
      return
    default:
      throw noField(setting)
  }
}

type Listed = DescField & {readonly fieldKind: 'list'}
type Mapped = DescField & {readonly fieldKind: 'map'}

function setEntries(message: ReflectMessage, field: Listed, steps: readonly PathStep[], from: number, setting: Setting): void {
  const step = steps[from]
  const list = message.get(field)
  if (step === undefined || (step !== 'each' && !/^\d+$/.test(step.key))) throw noField(setting)
  const indexes = step === 'each' ? [...list.keys()] : [Number(step.key)].filter((index) => index < list.size)
  const atEnd = from === steps.length - 1
  const entry = atEnd ? (fieldValue(message.desc, field, [setting.value], setting) as ReflectList).get(0) : undefined
  for (const index of indexes) {
    if (atEnd) list.set(index, entry)
    else if (field.listKind === 'message') setBelow(list.get(index) as ReflectMessage, steps, from + 1, setting)
    else throw noField(setting)
  }
}

function setEntry(message: ReflectMessage, field: Mapped, steps: readonly PathStep[], from: number, setting: Setting): void {
  const step = steps[from]
  if (step === undefined || step === 'each') throw noField(setting)
  const map = message.get(field)
  const atEnd = from === steps.length - 1
  if (setting.value === null && atEnd) {
    for (const key of map.keys()) if (`${key}` === step.key) map.delete(key)
    return
  }
  // A map's keys are typed: JSON knows what of.
  const made = fieldValue(message.desc, field, {[step.key]: atEnd ? setting.value : {}}, setting) as ReflectMap
  for (const [key, fresh] of made) {
    const entry = atEnd ? fresh : (map.get(key) ?? fresh)
    if (!atEnd) {
      if (field.mapKind !== 'message') throw noField(setting)
      setBelow(entry as ReflectMessage, steps, from + 1, setting)
    }
    map.set(key, entry)
  }
}

/** As a message with this field alone has it. */
function fieldValue(desc: DescMessage, field: DescField, value: JsonValue, {path}: Setting): unknown {
  try {
    return reflect(desc, fromJson(desc, {[field.jsonName]: value})).get(field)
  } catch {
    throw new Unreadable(`'${path}' cannot be ${JSON.stringify(value)}`)
  }
}

const noField = ({path}: Setting) => new Unreadable(`'${path}' leads to no field`)

/** A whole number that JavaScript does not hold exactly is what its bits say: -6795364578871345152 is a time that runtimes have reported. */
function exactNumbers(value: unknown): JsonValue {
  if (typeof value === 'bigint') return `${value}`
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value) ? `${BigInt(value)}` : value
  if (Array.isArray(value)) return value.map(exactNumbers)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, exactNumbers(item)]))
  return (value ?? null) as JsonValue
}
