// Whether a rule is about a recorded call, where a recording has less of it than the proxy had.
import {ScalarType} from '@bufbuild/protobuf'
import {perNeedsRequest} from '../../faults/count/per.ts'
import {parsePath} from '../../faults/match/field-path.ts'
import {matches, matchesHead} from '../../faults/match/matches.ts'
import type {Rule} from '../../faults/rule.ts'
import {mark} from '../../node/redaction/mark.ts'
import {knownMethod} from '../call/known-methods.ts'
import type {RecordedCall} from './recorded-calls.ts'

/** unknown: what it goes by is not in the recording. */
export type RecordedMatch = 'yes' | 'no' | 'unknown'

export function recordedMatch({match, per}: Rule, {call, decoded}: RecordedCall): RecordedMatch {
  if (!matchesHead(match, call)) return 'no'
  const {request = {}, ...named} = match
  const {pod, podUid, container, pvc} = named
  const isNamed = (pod ?? podUid ?? container ?? pvc) !== undefined
  const method = knownMethod(`/${call.service}/${call.method}`)
  // Nobody knows names or fields of others: no rule can be about those.
  if (method === undefined || method.input.fields.length === 0) return isNamed || Object.keys(request).length > 0 ? 'no' : 'yes'
  if (!decoded) return isNamed || Object.keys(request).length > 0 || perNeedsRequest(per) ? 'unknown' : 'yes'
  if (isNamed && !matches(named, call)) return 'no'
  const fields = Object.entries(request).map(([path, value]) => {
    const {has, value: recorded} = fieldOf(path, method.input, call.request)
    return has === 'value' ? (matches({request: {[path]: value}}, {...call, request: {[path]: recorded}}) ? 'yes' : 'no') : has
  })
  if (fields.includes('no')) return 'no'
  const counts = per === undefined || !perNeedsRequest(per) || isNameWord(per) ? 'yes' : fieldOf(per, method.input, call.request).has
  return fields.includes('unknown') || counts === 'unknown' ? 'unknown' : 'yes'
}

interface FieldOf {
  readonly has: 'value' | 'no' | 'unknown'
  readonly value?: unknown
}

type Input = NonNullable<ReturnType<typeof knownMethod>>['input']

/** A recording has scalars of the first rank; what was cut or redacted is not what it was. */
function fieldOf(path: string, input: Input, request: Readonly<Record<string, unknown>>): FieldOf {
  const [step, ...more] = parsePath(path) ?? []
  const field = input.fields.find(({jsonName}) => step !== undefined && step !== 'each' && jsonName === step.key)
  if (field === undefined) return {has: 'no'}
  if ((field.fieldKind !== 'scalar' && field.fieldKind !== 'enum') || more.length > 0) return {has: 'unknown'}
  const value = Object.hasOwn(request, field.jsonName) ? request[field.jsonName] : undefined
  if (value === undefined) return {has: 'no'}
  return typeof value === 'string' && (value.endsWith('…') || value.includes(mark)) ? {has: 'unknown'} : {has: 'value', value}
}

/** What a recording leaves out of a request that was read, as it is not set. */
export function withUnset(recorded: RecordedCall): RecordedCall {
  const {call, decoded} = recorded
  const method = decoded ? knownMethod(`/${call.service}/${call.method}`) : undefined
  if (method === undefined) return recorded
  const unset = method.input.fields.flatMap((field) =>
    field.oneof === undefined && (field.fieldKind === 'scalar' || field.fieldKind === 'enum')
      ? [[field.jsonName, zeroOf(field)] as const]
      : [],
  )
  return {...recorded, call: {...call, request: {...Object.fromEntries(unset), ...call.request}}}
}

/** Enums are recorded by their names, zero too. */
function zeroOf(field: Input['fields'][number]): unknown {
  if (field.fieldKind !== 'scalar') return 0
  return field.scalar === ScalarType.BOOL ? false : field.scalar === ScalarType.STRING ? '' : 0
}

const isNameWord = (per: string): boolean => ['pod', 'podUid', 'container', 'pvc'].includes(per)
