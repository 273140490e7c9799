// Two lists merged by the key of their elements, in the order of the patch. Upstream: mergeSlice and normalizeElementOrder in strategicpatch/patch.go
import {isDeepStrictEqual} from 'node:util'
import {isObject, type Json, type JsonObject} from './json.ts'
import {PatchError} from './patch-error.ts'

type Merge = (original: JsonObject, patch: JsonObject) => JsonObject

/** @param mergeKey '' of a list of values */
export function mergedLists(original: readonly Json[], patch: readonly Json[], mergeKey: string, merge: Merge): readonly Json[] {
  if (original.length === 0 && patch.length === 0) return original
  if (mergeKey === '') return orderedBy([...new Set([...original, ...patch])], patch, original, '')
  const changes: JsonObject[] = []
  let replace = false
  let left = original
  for (const item of patch) {
    if (!isObject(item)) throw new PatchError('expected a map in a list that is merged by key')
    if (item.$patch === undefined) changes.push(item)
    else if (item.$patch === 'replace') replace = true
    else if (item.$patch === 'delete') {
      const key = keyOf(item, mergeKey)
      left = left.filter((each) => !(isObject(each) && isDeepStrictEqual(each[mergeKey], key)))
    } else throw new PatchError(`unknown patch type: ${JSON.stringify(item.$patch)} in map: ${JSON.stringify(item)}`)
  }
  if (replace) return changes
  const merged = [...left]
  for (const change of changes) {
    const key = keyOf(change, mergeKey)
    const index = merged.findIndex((each) => isObject(each) && isDeepStrictEqual(each[mergeKey], key))
    const found = merged[index]
    if (isObject(found)) merged[index] = merge(found, change)
    else merged.push(merge({}, change))
  }
  return orderedBy(merged, changes, left, mergeKey)
}

function keyOf(item: JsonObject, mergeKey: string): Json {
  const key = item[mergeKey]
  if (key === undefined) throw new PatchError(`map: ${JSON.stringify(item)} does not contain declared merge key: ${mergeKey}`)
  return key
}

/**
 * Where the server had what the patch leaves to it. Upstream takes out and adds in place (deleteMatchingEntries), so that after a deletion the first of
 * those that are new have taken the places at the end.
 */
export function serverOrder(before: readonly Json[], patch: readonly Json[], mergeKey: string): readonly Json[] {
  const keyIn = (item: Json): string => JSON.stringify(isObject(item) ? (item[mergeKey] ?? null) : item)
  const deleted = new Set(patch.filter((item) => isObject(item) && item.$patch === 'delete').map(keyIn))
  const left = before.filter((item) => !deleted.has(keyIn(item)))
  if (left.length === before.length) return before
  const there = new Set(left.map(keyIn))
  const added = patch.filter((item) => isObject(item) && item.$patch === undefined && !there.has(keyIn(item)))
  return [...left, ...added].slice(0, before.length)
}

/** Those of the patch in its order, the others where the server had them. */
export function orderedBy(items: readonly Json[], order: readonly Json[], server: readonly Json[], mergeKey: string): readonly Json[] {
  const id = (item: Json): string => JSON.stringify(mergeKey !== '' && isObject(item) ? (item[mergeKey] ?? null) : item)
  const places = (list: readonly Json[]): ReadonlyMap<string, number> =>
    new Map([...list.entries()].reverse().map(([index, item]) => [id(item), index]))
  const [inPatch, onServer] = [places(order), places(server)]
  const sorted = (list: readonly Json[], by: ReadonlyMap<string, number>) =>
    [...list].sort((one, other) => (by.get(id(one)) ?? 0) - (by.get(id(other)) ?? 0))
  const right = sorted(
    items.filter((item) => inPatch.has(id(item))),
    inPatch,
  )
  const left = sorted(
    items.filter((item) => !inPatch.has(id(item))),
    onServer,
  )
  const merged: Json[] = []
  let [taken, given] = [0, 0]
  for (;;) {
    const [ours, theirs] = [left[taken], right[given]]
    if (ours === undefined && theirs === undefined) return merged
    const [here, there] = [ours, theirs].map((item) => (item === undefined ? undefined : onServer.get(id(item))))
    const oursFirst = theirs === undefined || (ours !== undefined && here !== undefined && there !== undefined && here < there)
    if (oursFirst && ours !== undefined) {
      merged.push(ours)
      taken++
    } else if (theirs !== undefined) {
      merged.push(theirs)
      given++
    }
  }
}
