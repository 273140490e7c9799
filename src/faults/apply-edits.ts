// Changes of a message that is plain data, as JSON has it. What does not change is shared with the message that was given.
import type {Edit, Scalar} from './edit.ts'
import {isObject, type PathStep, parsePath, someAt} from './match/field-path.ts'
import {isScalarLike} from './match/scalar-like.ts'

export interface Edited {
  readonly message: unknown
  /** How many fields were set, and entries dropped, doubled or made up. Of none nothing has changed. */
  readonly places: number
}

/** One after the other. What pads a message must know its bytes: that is the work of others, and left out here. */
export function applyEdits(message: unknown, edits: readonly Edit[]): Edited {
  return edits.reduce((edited: Edited, edit) => {
    const {message: next, places} = apply(edited.message, edit)
    return {message: next, places: edited.places + places}
  }, untouched(message))
}

function apply(message: unknown, edit: Edit): Edited {
  switch (edit.kind) {
    case 'set':
      return setAt(message, edit.path, edit.value)
    case 'drop':
      return inLists(message, edit.list, (entries) => entries.filter((entry) => !has(entry, edit.where)))
    case 'duplicate':
      return inLists(message, edit.list, (entries) => entries.flatMap((entry) => (has(entry, edit.where) ? [entry, entry] : [entry])))
    case 'phantom':
      return inLists(message, edit.list, (entries) => [...entries, madeUp(entries[0] ?? {}, edit.entry)])
    case 'pad':
      return untouched(message)
    default:
      return edit satisfies never
  }
}

const untouched = (message: unknown): Edited => ({message, places: 0})

const setAt = (message: unknown, path: string, value: unknown): Edited =>
  changeAt(message, stepsOf(path), 0, () => ({message: value, places: 1}))

function inLists(message: unknown, path: string, change: (entries: readonly unknown[]) => readonly unknown[]): Edited {
  return changeAt(message, path === '' ? [] : stepsOf(path), 0, (list) => {
    // JSON leaves empty lists out.
    if (list !== undefined && !Array.isArray(list)) return untouched(list)
    const entries: readonly unknown[] = list ?? []
    const changed = change(entries)
    return changed.length === entries.length ? untouched(list) : {message: changed, places: Math.abs(changed.length - entries.length)}
  })
}

const madeUp = (like: unknown, fields: Readonly<Record<string, unknown>>): unknown =>
  Object.entries(fields).reduce((entry, [path, value]) => setAt(entry, path, value).message, like)

const has = (entry: unknown, where: Readonly<Record<string, Scalar>> = {}): boolean =>
  Object.entries(where).every(([path, must]) => someAt(entry, path, (value) => isScalarLike(value, must)))

function stepsOf(path: string): readonly PathStep[] {
  const steps = parsePath(path)
  if (steps === undefined) throw new Error(`'${path}' is no path of a field`)
  return steps
}

/** JSON leaves messages out in which nothing is set: those on the way are made. */
function changeAt(value: unknown, steps: readonly PathStep[], from: number, change: (value: unknown) => Edited): Edited {
  const step = steps[from]
  if (step === undefined) return change(value)
  if (step === 'each') {
    if (!Array.isArray(value)) return untouched(value)
    const entries = value.map((entry) => changeAt(entry, steps, from + 1, change))
    const places = entries.reduce((sum, each) => sum + each.places, 0)
    return places === 0 ? untouched(value) : {message: entries.map((each) => each.message), places}
  }
  const {key} = step
  if (Array.isArray(value)) {
    const index = /^\d+$/.test(key) ? Number(key) : value.length
    if (index >= value.length) return untouched(value)
    const {message, places} = changeAt(value[index], steps, from + 1, change)
    return places === 0 ? untouched(value) : {message: value.with(index, message), places}
  }
  if (!isObject(value) && value !== undefined) return untouched(value)
  const inside = value !== undefined && Object.hasOwn(value, key) ? value[key] : undefined
  const {message, places} = changeAt(inside ?? undefined, steps, from + 1, change)
  // By entries: an assignment to __proto__ makes no key.
  return places === 0 ? untouched(value) : {message: Object.fromEntries([...Object.entries(value ?? {}), [key, message]]), places}
}
