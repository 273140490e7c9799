// What a list of Kubernetes objects and the objects in it have in common, whatever came in.
import {readInstant} from '../base/instant.ts'

export type Fields = Readonly<Record<string, unknown>>

/**
 * The items of a list: a `<kind>List`, or the `List` that kubectl makes. A list of none may be null.
 * @throws Error, one sentence, when the document is no such list.
 */
export function listItems(document: unknown, kind: string): readonly unknown[] {
  const list = fieldsOf(document)
  const expected = `Cannot read it as it must be a v1 ${kind}List`
  if (list === undefined) throw new Error(`${expected}: it is ${shapeOf(document)}`)
  const said = textOf(list.kind)
  if (said === 'Status')
    throw new Error(`${expected}: it is a Status, '${(textOf(list.message) ?? textOf(list.reason) ?? '').slice(0, 200)}'`)
  if (said !== undefined && said !== `${kind}List` && said !== 'List') throw new Error(`${expected}: its kind is '${said.slice(0, 60)}'`)
  if (Array.isArray(list.items)) return list.items
  if (list.items !== undefined && list.items !== null) throw new Error(`${expected}: its items are ${shapeOf(list.items)}`)
  if (said === undefined && list.items === undefined) throw new Error(`${expected}: it has neither kind nor items`)
  return []
}

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}

export function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Empty text counts as none: so Go writes what is not set. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function integerOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}

/** Every optional field said, some of them undefined: those must not be there at all. */
export function onlySet<T extends object>(fields: {[Key in keyof T]-?: object extends Pick<T, Key> ? T[Key] | undefined : T[Key]}): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}

/** metav1.Time is RFC 3339, or null where it is zero. */
export const timeOf = readInstant

function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array'
  if (value === null) return 'null'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
