// What may change in a pod that is there. Upstream: ValidatePodUpdate in pkg/apis/core/validation/validation.go
import {isDeepStrictEqual} from 'node:util'
import {type FieldError, forbiddenField, invalidValue, required} from './api-status.ts'
import {type Json, type JsonObject, number, object, objects, text} from './json.ts'

const updatable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',')

export function podUpdateErrors(before: JsonObject, after: JsonObject): readonly FieldError[] {
  const [old, next] = [object(before, 'spec'), object(after, 'spec')]
  if (isDeepStrictEqual(old, next)) return []
  for (const field of ['containers', 'initContainers'] as const) {
    const [had, has] = [objects(old, field), objects(next, field)]
    if (had.length !== has.length) return [forbiddenField(`spec.${field}`, 'pod updates may not add or remove containers')]
    const bare = has.findIndex((container) => !text(container, 'image'))
    if (bare !== -1) return [required(`spec.${field}[${bare}].image`)]
  }
  const deadline = deadlineErrors(old, next)
  if (deadline.length > 0) return deadline
  const left = differences(old, munged(old, next))
  return [
    ...tolerationErrors(objects(old, 'tolerations'), objects(next, 'tolerations')),
    ...(left.length === 0
      ? []
      : [forbiddenField('spec', `pod updates may not change fields other than ${updatable}\n${left.join('\n')}\n`)]),
  ]
}

function deadlineErrors(old: JsonObject, next: JsonObject): readonly FieldError[] {
  const [had, has] = [number(old, 'activeDeadlineSeconds'), number(next, 'activeDeadlineSeconds')]
  const path = 'spec.activeDeadlineSeconds'
  if (has === undefined) return had === undefined ? [] : [invalidValue(path, null, 'must not update from a positive integer to nil value')]
  if (has < 0 || has > 0x7fffffff) return [invalidValue(path, has, 'must be between 0 and 2147483647, inclusive')]
  return had !== undefined && had < has ? [invalidValue(path, has, 'must be less than or equal to previous value')] : []
}

function tolerationErrors(had: readonly JsonObject[], has: readonly JsonObject[]): readonly FieldError[] {
  // How long a taint is borne may change.
  const bare = ({tolerationSeconds: _, ...rest}: JsonObject) => rest
  if (had.every((old) => has.some((each) => isDeepStrictEqual(bare(old), bare(each))))) return []
  return [forbiddenField('spec.tolerations', 'existing toleration can not be modified except its tolerationSeconds')]
}

/** The new one with all that may change as it was. */
function munged(old: JsonObject, next: JsonObject): JsonObject {
  const result: Record<string, Json> = {...next}
  for (const field of ['activeDeadlineSeconds', 'tolerations'] as const) {
    const value = old[field]
    if (value === undefined) delete result[field]
    else result[field] = value
  }
  for (const field of ['containers', 'initContainers'] as const) {
    const had = objects(old, field)
    if (field in next) result[field] = objects(next, field).map((each, index) => ({...each, image: had[index]?.image ?? ''}))
  }
  return result
}

function differences(old: JsonObject, next: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(old), ...Object.keys(next)])]
    .filter((field) => !isDeepStrictEqual(old[field], next[field]))
    .flatMap((field) => [
      ...(old[field] === undefined ? [] : [`-${field}: ${JSON.stringify(old[field])}`]),
      ...(next[field] === undefined ? [] : [`+${field}: ${JSON.stringify(next[field])}`]),
    ])
}
