// Fields of a message by the names that people write, and the lists that a path leads to.
import type {DescField, DescMessage} from '@bufbuild/protobuf'
import type {ReflectMessage} from '@bufbuild/protobuf/reflect'
import {type PathStep, parsePath} from '../../../faults/match/field-path.ts'
import {Unreadable} from '../message/unreadable.ts'

/** By its JSON name or by the one in the .proto file. @throws Unreadable */
export function fieldNamed({fields, name: type}: DescMessage, name: string): DescField {
  const field = fields.find((each) => each.jsonName === name || each.name === name)
  if (field === undefined) throw new Unreadable(`${type} has no field '${name}'`)
  return field
}

/** @throws Unreadable */
export function stepsOf(path: string): readonly PathStep[] {
  const steps = parsePath(path)
  if (steps === undefined) throw new Unreadable(`'${path}' is no path of a field`)
  return steps
}

export interface ListOf {
  readonly owner: ReflectMessage
  readonly field: DescField & {readonly fieldKind: 'list'}
}

/** The lists of messages at a path: 'items', 'status.mounts'; with '[]' in the middle there may be many. @throws Unreadable */
export function listsAt(message: ReflectMessage, path: string): readonly ListOf[] {
  return listsBelow(message, stepsOf(path), 0, path)
}

function listsBelow(message: ReflectMessage, steps: readonly PathStep[], from: number, path: string): readonly ListOf[] {
  const step = steps[from]
  if (step === undefined || step === 'each') throw new Unreadable(`'${path}' leads to no list of messages`)
  const field = fieldNamed(message.desc, step.key)
  const atEnd = from === steps.length - 1 || (from === steps.length - 2 && steps[from + 1] === 'each')
  if (field.fieldKind === 'list' && field.listKind === 'message') {
    if (atEnd) return [{owner: message, field}]
    if (steps[from + 1] === 'each')
      return [...message.get(field)].flatMap((entry) => listsBelow(entry as ReflectMessage, steps, from + 2, path))
  }
  if (field.fieldKind !== 'message' || atEnd) throw new Unreadable(`'${path}' leads to no list of messages`)
  return message.isSet(field) ? listsBelow(message.get(field), steps, from + 1, path) : []
}
