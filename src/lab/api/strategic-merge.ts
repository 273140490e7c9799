// Strategic merge patch: lists of objects are merged by a key, '$…' fields say how. Changes neither document nor patch.
// Upstream: apimachinery pkg/util/strategicpatch/patch.go, StrategicMergePatch (MergeParallelList and IgnoreUnmatchedNulls).
import {isDeepStrictEqual} from 'node:util'
import {isList, isObject, type Json, type JsonObject} from './json.ts'
import {mergedLists, orderedBy, serverOrder} from './merged-lists.ts'
import {PatchError} from './patch-error.ts'
import type {FieldSchema, PatchSchema} from './patch-schema.ts'

const deleteFromList = '$deleteFromPrimitiveList/'
const setElementOrder = '$setElementOrder/'
const none: PatchSchema = {}

/** @throws PatchError */
export function strategicMerge(original: JsonObject | undefined, patch: JsonObject, schema: PatchSchema): JsonObject {
  const {$patch: directive, ...rest} = patch
  if (directive === 'replace') return rest
  if (directive === 'delete') return {}
  if (directive !== undefined) throw new PatchError(`unknown patch type: ${directive} in map: ${JSON.stringify(patch)}`)
  const merged: Record<string, Json> = {...retained(original ?? {}, rest)}
  const ordered = mergeOrdered(merged, rest, schema)
  for (const [key, value] of Object.entries(rest)) {
    if (key === '$retainKeys' || key.startsWith(setElementOrder) || ordered.has(key)) continue
    if (key.startsWith(deleteFromList)) {
      removeValues(merged, key.slice(deleteFromList.length), value)
      continue
    }
    const before = merged[key]
    if (value === null) delete merged[key]
    else if (isObject(value) && isObject(before)) merged[key] = strategicMerge(before, value, schema[key]?.of ?? none)
    else if (isList(value) && isList(before)) merged[key] = mergedList(before, value, schema[key])
    else setWithoutDirectives(merged, key, value)
  }
  return merged
}

function mergedList(before: readonly Json[], patch: readonly Json[], field: FieldSchema | undefined): readonly Json[] {
  if (field?.mergeKey === undefined) return patch
  return mergedLists(before, patch, field.mergeKey, (one, other) => strategicMerge(one, other, field.of ?? none))
}

/** Of a union such as a volume: what its patch does not name goes. */
function retained(original: JsonObject, patch: JsonObject): JsonObject {
  const keys = patch.$retainKeys
  if (keys === undefined) return original
  const named = Object.keys(patch).filter((key) => patch[key] !== null && !key.startsWith('$'))
  if (!isList(keys) || named.some((key) => !keys.includes(key))) throw new PatchError('invalid patch format of retainKeys')
  return Object.fromEntries(Object.entries(original).filter(([key]) => keys.includes(key)))
}

/** The lists whose order the patch gives, merged and put in that order. @returns their names */
function mergeOrdered(merged: Record<string, Json>, patch: JsonObject, schema: PatchSchema): ReadonlySet<string> {
  const done = new Set<string>()
  for (const [directive, order] of Object.entries(patch)) {
    if (!directive.startsWith(setElementOrder)) continue
    const key = directive.slice(setElementOrder.length)
    const [before, change] = [merged[key], patch[key]]
    if (!isList(order)) throw new PatchError('invalid patch format of setElementOrder list')
    if ((before !== undefined && !isList(before)) || (change !== undefined && change !== null && !isList(change))) {
      throw new PatchError(`expected a list in ${key}`)
    }
    // Null: the list goes, as without an order.
    if (change === null) continue
    const mergeKey = schema[key]?.mergeKey ?? ''
    if (change !== undefined) checkOrder(change, order, mergeKey)
    done.add(key)
    const both = change === undefined ? before : before === undefined ? withoutDirectives(change) : mergedList(before, change, schema[key])
    if (isList(both)) merged[key] = orderedBy(both, order, serverOrder(before ?? [], change ?? [], mergeKey), mergeKey)
  }
  return done
}

function checkOrder(change: readonly Json[], order: readonly Json[], mergeKey: string): void {
  const keyIn = (item: Json | undefined): Json | undefined => (mergeKey === '' ? item : isObject(item) ? item[mergeKey] : undefined)
  const kept = change.filter((item) => !(isObject(item) && '$patch' in item))
  if (kept.length === 0 || order.length === 0) return
  let next = 0
  for (const item of order) if (next < kept.length && isDeepStrictEqual(keyIn(kept[next]), keyIn(item))) next++
  if (next < kept.length) throw new PatchError(`The order in patch list doesn't match ${setElementOrder.slice(0, -1)} list`)
}

function removeValues(merged: Record<string, Json>, key: string, values: Json): void {
  const list = merged[key]
  if (!isList(values)) throw new PatchError('invalid patch format of primitive list')
  if (isList(list)) merged[key] = list.filter((item) => !values.includes(item))
}

function setWithoutDirectives(merged: Record<string, Json>, key: string, value: Json): void {
  const clean = withoutDirectives(value)
  if (clean === undefined) delete merged[key]
  else merged[key] = clean
}

/** What is new: nothing to merge with, so directives and nulls have nothing to say. Undefined: it is itself one. */
function withoutDirectives(value: Json): Json | undefined {
  if (isList(value)) return value.flatMap((item) => withoutDirectives(item) ?? [])
  if (!isObject(value)) return value
  if ('$patch' in value) return undefined
  const fields = Object.entries(value)
    .filter(([key, item]) => item !== null && key !== '$retainKeys' && !key.startsWith(setElementOrder) && !key.startsWith(deleteFromList))
    .map(([key, item]) => [key, withoutDirectives(item)] as const)
  return Object.fromEntries(fields.filter((field): field is [string, Json] => field[1] !== undefined))
}
