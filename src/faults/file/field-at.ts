// Where the path of a field leads in a message that we can read.
import type {DescField, DescMessage} from '@bufbuild/protobuf'
import {nearest} from '../../base/nearest.ts'
import {type PathStep, parsePath} from '../match/field-path.ts'

/** What is at the path: a value, a list or a map of values, or one of their entries. */
export interface FieldAt {
  readonly field: DescField
  /** It is an entry of the field's list or map. */
  readonly isEntry: boolean
}

/** The end of a sentence, what it must be; or what is there. */
export function fieldAt(message: DescMessage, path: string): FieldAt | string {
  const steps = parsePath(path) ?? []
  let inside: DescMessage | undefined = message
  let at: FieldAt | undefined
  for (const step of steps) {
    const entry: FieldAt | string | undefined = at === undefined ? undefined : entryOf(at, step, path)
    if (typeof entry === 'string') return entry
    if (entry !== undefined) {
      at = entry
      inside = fieldsOf(entry.field)
      continue
    }
    if (step === 'each') return `the path of a field, and no list is around '[]'`
    if (inside === undefined) return `a path that ends before '${step.key}', as ${at?.field.jsonName} has no fields`
    const found = fieldNamed(inside, step.key)
    if (typeof found === 'string') return found
    at = {field: found, isEntry: false}
    inside = fieldsOf(found)
  }
  return at ?? 'the path of a field'
}

/** What JSON has in a form of its own, such as a Timestamp, has no fields there. */
const fieldsOf = ({message}: DescField): DescMessage | undefined => (message?.typeName.startsWith('google.protobuf.') ? undefined : message)

/** Undefined when the step leads to a field of what is there. */
function entryOf({field, isEntry}: FieldAt, step: PathStep, path: string): FieldAt | string | undefined {
  if (isEntry || (field.fieldKind !== 'list' && field.fieldKind !== 'map')) return undefined
  if (field.fieldKind === 'map')
    return step === 'each' ? `a path with a key of ${field.jsonName}, as it is no list` : {field, isEntry: true}
  if (step === 'each' || /^\d+$/.test(step.key)) return {field, isEntry: true}
  return `'${path.replace(field.jsonName, `${field.jsonName}[]`)}', as ${field.jsonName} is a list`
}

function fieldNamed(message: DescMessage, name: string): DescField | string {
  const found = message.fields.find(({jsonName}) => jsonName === name)
  if (found !== undefined) return found
  const names = message.fields.map(({jsonName}) => jsonName)
  const near = message.fields.find((field) => field.name === name)?.jsonName ?? nearest(name, names)
  if (near !== undefined) return `a field of ${message.name} ('${near}' may be meant)`
  return names.length === 0 ? `left out, as ${message.name} has no fields` : `a field of ${message.name}, which has ${names.join(', ')}`
}
