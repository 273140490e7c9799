// A list out of a longer one, by the filter of its request. Source: containerd's internal/cri/server/*_list.go
import type {JsonObject, JsonValue} from '@bufbuild/protobuf'
import {wholeId} from '../../node/cri-captured.ts'
import type {RecordedCall} from '../../node/recorded/recorded-call.ts'

/** Of all four lists; each has some of these. */
export interface Filter {
  readonly id?: string
  readonly podSandboxId?: string
  readonly state?: {readonly state: number} | undefined
  readonly labelSelector?: Readonly<Record<string, string>>
}

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

export function filtered<T extends Row>(rows: readonly T[], filter: Filter | undefined, {sandboxIds, podOf}: KnownIds): T[] {
  const {id = '', podSandboxId = '', state, labelSelector = {}} = filter ?? {}
  const idOf = (row: Row) => row.id ?? row.attributes?.id ?? ''
  const whole = id && wholeId(id, rows.map(idOf))
  const pod = podSandboxId && wholeId(podSandboxId, sandboxIds)
  const labels = Object.entries(labelSelector)
  return rows.filter((row) => {
    const has = row.labels ?? row.attributes?.labels ?? {}
    return (
      (!whole || idOf(row) === whole) &&
      (!pod || (row.podSandboxId ?? podOf(idOf(row))) === pod) &&
      (state === undefined || row.state === state.state) &&
      labels.every(([key, value]) => Object.hasOwn(has, key) && has[key] === value)
    )
  })
}
