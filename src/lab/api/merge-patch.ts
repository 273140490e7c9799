// JSON merge patch. RFC 7396
import {isObject, type Json} from './json.ts'

export function mergePatch(original: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch
  const merged: Record<string, Json> = isObject(original) ? {...original} : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key]
    else merged[key] = mergePatch(merged[key], value)
  }
  return merged
}
