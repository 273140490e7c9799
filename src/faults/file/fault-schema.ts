// Faults as people write them: a kind, and what that kind takes.
import * as v from 'valibot'
import {mapOf, strict} from '../../base/yaml/strict.ts'
import {count, duration, listOf, namedOneOf, oneOf, recordOf, text} from '../../base/yaml/values.ts'
import type {Fault} from '../fault.ts'
import {type FaultParameters, faultNames, faultOf, kindNamed} from '../faults.ts'
import {bytes, code, fieldPath, fieldsAre, newValues} from './small-values.ts'

const may = v.exactOptional
type Schema = v.GenericSchema<unknown, FaultParameters>

const takes = <const Entries extends v.ObjectEntries>(entries: Entries) => strict({kind: v.string(), ...entries})

/** @param must what it must be, when it has none of them */
const withOne = (schema: Schema, names: readonly (keyof FaultParameters)[], must: string): Schema =>
  v.pipe(
    schema,
    v.check((given) => names.some((name) => given[name] !== undefined), must),
  )

/** 'google.rpc.ErrorInfo' and its bytes in base64. */
const detail = strict({type: text, value: v.pipe(v.string('a text'), v.base64('base64'))})
const error = {message: may(text), details: may(listOf(detail))}

/** Which entries of a list: those that have these values, or all. */
const entries = v.lazy((input) => (typeof input === 'string' ? all : fieldsAre))
const all = v.pipe(
  v.literal('all', 'all, or fields and what they are'),
  v.transform((): Readonly<Record<string, never>> => ({})),
)

const nothing = takes({})
const held = v.pipe(
  takes({for: duration}),
  v.transform(({for: ms}) => ({ms})),
)

const delay = v.pipe(
  takes({for: may(duration), before: may(duration), after: may(duration), jitter: may(duration)}),
  v.check(({for: ms, before}) => ms === undefined || before === undefined, 'a delay with before alone, as for is the same'),
  v.transform(({kind: _, for: before, ...more}) => ({...(before === undefined ? {} : {before}), ...more})),
)

const listEdit = v.pipe(
  takes({list: may(fieldPath), drop: may(entries), duplicate: may(entries), phantom: may(newValues), stale: may(v.literal(true, 'true'))}),
  v.check(
    ({kind: _, stale, ...changes}) => stale === undefined || Object.keys(changes).length === 0,
    'a list-edit with stale alone, or with what is changed in a list',
  ),
  v.check(({list, stale}) => stale !== undefined || list !== undefined, 'a list-edit with the path of its list'),
)

/** By the kinds' first names. */
const schemas: Readonly<Record<string, Schema>> = {
  'drop-reply': takes({scope: may(oneOf(['stream', 'connection']))}),
  'exec-then-error': takes({code, ...error}),
  error: takes({code, ...error}),
  'fake-success': takes({response: may(recordOf(v.unknown()))}),
  delay: withOne(delay, ['before', 'after'], 'a delay with before, after or both'),
  hold: held,
  throttle: takes({bytesPerSecond: bytes}),
  rewrite: withOne(takes({request: may(newValues), reply: may(newValues)}), ['request', 'reply'], 'a rewrite with request, reply or both'),
  'list-edit': withOne(listEdit, ['drop', 'duplicate', 'phantom', 'stale'], 'a list-edit with drop, duplicate, phantom or stale'),
  pad: takes({bytes}),
  'stream-cut': takes({after: count, code: may(code)}),
  'stream-stall': takes({after: count}),
}

const kindFirst = mapOf(v.looseObject({kind: namedOneOf('a kind of fault', faultNames)}, 'a map'))

export const faultSchema = v.lazy((input): v.GenericSchema<unknown, Fault> => {
  const kind = (input as {readonly kind?: unknown} | null | undefined)?.kind
  const found = typeof kind === 'string' ? kindNamed(kind) : undefined
  if (typeof kind !== 'string' || found === undefined) return kindFirst as never
  return v.pipe(
    schemas[found.kind] ?? nothing,
    v.transform((given): Fault => {
      const {kind: _, ...parameters} = given as FaultParameters & {readonly kind?: unknown}
      return faultOf(kind, parameters)
    }),
  )
})
