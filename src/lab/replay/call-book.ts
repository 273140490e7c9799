// The recorded calls of one socket, by method and request. Of several answers to one request the last one holds: as the node was at the end.
import type {JsonValue} from '@bufbuild/protobuf'
import type {RecordedCall} from '../../node/recorded/recorded-call.ts'

export interface CallBook {
  /** The last one with this request. */
  equal(method: string, request: JsonValue): RecordedCall | undefined
  /** All of a method, in their order. Names of methods are not those of two services of one socket. */
  of(method: string): readonly RecordedCall[]
}

export function callBook(calls: readonly RecordedCall[]): CallBook {
  const byMethod = Map.groupBy(calls, ({method}) => method)
  const byRequest = new Map<string, RecordedCall>()
  for (const call of calls) if (call.request !== undefined) byRequest.set(keyOf(call.method, call.request), call)
  return {
    equal: (method, request) => byRequest.get(keyOf(method, request)),
    of: (method) => byMethod.get(method) ?? [],
  }
}

function keyOf(method: string, request: JsonValue): string {
  return `${method} ${JSON.stringify(plain(request) ?? {})}`
}

/** Fields in one order, without those that are empty messages: a filter that filters nothing is none. */
function plain(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => plain(item) ?? {})
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.keys(value)
    .toSorted()
    .flatMap((name) => {
      const kept = plain(value[name] ?? null)
      return kept === undefined ? [] : [[name, kept] as const]
    })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

/** Nobody had answered by the time that its client had: nor does the replay, until its own has not either. */
export function isHeld({code, timeoutMs, durationMs}: RecordedCall): boolean {
  return code === 'CANCELLED' || (code === 'DEADLINE_EXCEEDED' && timeoutMs !== undefined && durationMs >= timeoutMs * 0.95)
}
