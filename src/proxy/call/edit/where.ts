// Whether an entry of a list is one of those that an edit is about.
import type {DescField} from '@bufbuild/protobuf'
import type {ReflectMessage} from '@bufbuild/protobuf/reflect'
import type {Scalar} from '../../../faults/edit.ts'
import type {PathStep} from '../../../faults/match/field-path.ts'
import {isScalarLike} from '../../../faults/match/scalar-like.ts'
import {fieldNamed, stepsOf} from './fields.ts'

/** Enums go by name or number, 64-bit numbers as numbers or texts; '*' in a text stands for any letters. @throws Unreadable */
export function fits(entry: ReflectMessage, where: Readonly<Record<string, Scalar>> | undefined): boolean {
  return (
    where === undefined ||
    Object.entries(where).every(([path, must]) => shownAt(entry, stepsOf(path), 0).some((shown) => isScalarLike(shown, must)))
  )
}

/** All that the values there may be called. */
function shownAt(message: ReflectMessage, steps: readonly PathStep[], from: number): readonly string[] {
  const step = steps[from]
  if (step === undefined || step === 'each') return []
  const field = fieldNamed(message.desc, step.key)
  const next = steps[from + 1]
  switch (field.fieldKind) {
    case 'message':
      return message.isSet(field) ? shownAt(message.get(field), steps, from + 1) : []
    case 'map':
      return next === undefined || next === 'each'
        ? []
        : [...message.get(field)].filter(([key]) => `${key}` === next.key).map(([, value]) => `${value}`)
    case 'list':
      return [...message.get(field)].flatMap((item) =>
        field.listKind === 'message' ? shownAt(item as ReflectMessage, steps, from + 2) : shown(field, item),
      )
    default:
      return shown(field, message.get(field))
  }
}

function shown(field: DescField, value: unknown): readonly string[] {
  const name = field.enum?.value[value as number]?.name
  return name === undefined ? [`${value}`] : [name, `${value}`]
}
