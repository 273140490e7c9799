// Server-side apply without ownership of fields: what a manager applied before and does not apply now goes, all else it applies is merged in. So nobody is
// in conflict with anybody. Upstream: apimachinery pkg/util/managedfields
import {isDeepStrictEqual} from 'node:util'
import {isList, isObject, type Json, type JsonObject} from './json.ts'
import type {PatchSchema} from './patch-schema.ts'
import {strategicMerge} from './strategic-merge.ts'

export interface AppliedBefore {
  /** What the document becomes, and remembers what was applied. */
  apply(document: JsonObject | undefined, applied: JsonObject, manager: string, schema: PatchSchema): JsonObject
  remember(uid: string, manager: string, applied: JsonObject): void
}

export function appliedBefore(): AppliedBefore {
  const last = new Map<string, JsonObject>()
  return {
    apply: (document, applied, manager, schema) => {
      if (document === undefined) return applied
      const before = last.get(`${uidOf(document)}/${manager}`)
      const left = before === undefined ? document : strategicMerge(document, dropped(before, applied, schema), schema)
      return strategicMerge(left, applied, schema)
    },
    remember: (uid, manager, applied) => void last.set(`${uid}/${manager}`, applied),
  }
}

function uidOf({metadata}: JsonObject): string {
  return isObject(metadata) ? String(metadata.uid) : ''
}

/** The patch that takes out what `after` has no more. */
function dropped(before: JsonObject, after: JsonObject, schema: PatchSchema): JsonObject {
  const patch: Record<string, Json> = {}
  for (const [key, old] of Object.entries(before)) {
    const now = after[key]
    const field = schema[key]
    if (now === undefined) patch[key] = null
    else if (isObject(old) && isObject(now)) patch[key] = dropped(old, now, field?.of ?? {})
    else if (isList(old) && isList(now) && field?.mergeKey === '')
      patch[`$deleteFromPrimitiveList/${key}`] = old.filter((item) => !now.includes(item))
    else if (isList(old) && isList(now) && field?.mergeKey !== undefined)
      patch[key] = droppedItems(old, now, field.mergeKey, field.of ?? {})
  }
  return patch
}

function droppedItems(before: readonly Json[], after: readonly Json[], mergeKey: string, schema: PatchSchema): readonly Json[] {
  return before.filter(isObject).map((old) => {
    const key = old[mergeKey] ?? null
    const now = after.filter(isObject).find((item) => isDeepStrictEqual(item[mergeKey], key))
    return now === undefined ? {$patch: 'delete', [mergeKey]: key} : {...dropped(old, now, schema), [mergeKey]: key}
  })
}
