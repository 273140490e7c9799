// A list out of a longer one, by the filter of its request. Source: containerd's internal/cri/server/*_list.go
import type {JsonObject, JsonValue} from '@bufbuild/protobuf'
import {wholeId} from '../../node/cri-captured.ts'
import type {RecordedCall} from '../../node/recorded/recorded-call.ts'
import {type Filterable, isWanted, type Wanted} from '../cri-service/filters.ts'

export interface Row {
  readonly id?: string
  readonly podSandboxId?: string
  readonly state?: number
  readonly labels?: Readonly<Record<string, string>>
  /** Of stats. */
  readonly attributes?: {readonly id: string; readonly labels: Readonly<Record<string, string>>} | undefined
}

export interface KnownIds {
  readonly sandboxIds: readonly string[]
  /** Of a container. */
  readonly podOf: (id: string) => string | undefined
}

/** The last list that has all that is asked for: its own filter asks for no more. @param asked the filter as JSON */
export function baseOf(calls: readonly RecordedCall[], asked: JsonValue | undefined): RecordedCall | undefined {
  return calls.findLast(({request}) => implies(asked, fieldsOf(request).filter))
}

/** Without a filter, or with an empty one. */
export function isWholeList({code, unkept, request}: RecordedCall): boolean {
  return code === 'OK' && unkept === undefined && Object.keys(fieldsOf(fieldsOf(request).filter)).length === 0
}

function implies(asked: JsonValue | undefined, recorded: JsonValue | undefined): boolean {
  if (recorded === undefined) return true
  if (typeof recorded !== 'object' || recorded === null || Array.isArray(recorded)) return recorded === asked
  return Object.entries(recorded).every(([name, value]) => implies(fieldsOf(asked)[name], value))
}

const fieldsOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

export function filtered<T extends Row>(rows: readonly T[], filter: Wanted | undefined, {sandboxIds, podOf}: KnownIds): T[] {
  const {id = '', podSandboxId = '', ...more} = filter ?? {}
  const seen = rows.map((row) => ({row, as: filterable(row, podOf)}))
  const wanted = {
    ...more,
    id:
      id &&
      wholeId(
        id,
        seen.map(({as}) => as.id),
      ),
    podSandboxId: podSandboxId && wholeId(podSandboxId, sandboxIds),
  }
  return seen.filter(({as}) => isWanted(as, wanted)).map(({row}) => row)
}

function filterable({id, podSandboxId, state, labels, attributes}: Row, podOf: KnownIds['podOf']): Filterable {
  const own = id ?? attributes?.id ?? ''
  return {
    id: own,
    podSandboxId: podSandboxId ?? podOf(own) ?? '',
    ...(state !== undefined && {state}),
    labels: labels ?? attributes?.labels ?? {},
  }
}
