// JSON as documents of the API are made of it: read only, shared by reference.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [field: string]: Json
}

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)
export const isList = (value: unknown): value is readonly Json[] => Array.isArray(value)

/** What is at that path; undefined where the path ends early. */
export function at(value: unknown, ...path: readonly string[]): Json | undefined {
  let here: unknown = value
  for (const field of path) {
    if (!isObject(here) || !Object.hasOwn(here, field)) return undefined
    here = here[field]
  }
  return here as Json | undefined
}

export function text(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path)
  return typeof found === 'string' ? found : undefined
}

export function number(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path)
  return typeof found === 'number' ? found : undefined
}

export function object(value: unknown, ...path: readonly string[]): JsonObject {
  const found = at(value, ...path)
  return isObject(found) ? found : {}
}

/** The objects of a list; none when there is no list. */
export function objects(value: unknown, ...path: readonly string[]): readonly JsonObject[] {
  const found = at(value, ...path)
  return isList(found) ? found.filter(isObject) : []
}

/** Without the fields that are undefined. */
export function defined(fields: {readonly [field: string]: unknown}): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject
}
