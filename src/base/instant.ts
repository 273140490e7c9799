// Moments are milliseconds since 1970 inside and RFC 3339 text outside.
import {UserError} from './errors.ts'

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/

/** Milliseconds since 1970 of an RFC 3339 text, or undefined when it is none. */
export function readInstant(text: unknown): number | undefined {
  if (typeof text !== 'string' || !rfc3339.test(text)) return undefined
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}

/** @throws UserError naming `what` when the text is no RFC 3339 moment. */
export function parseInstant(text: string, what: string): number {
  const ms = readInstant(text)
  if (ms === undefined) throw new UserError(`Cannot read ${what} as it must be a moment such as 2026-11-30T03:11:04Z: it is '${text}'`)
  return ms
}

/** RFC 3339 has years of four digits, and Date throws beyond its own. */
const earliest = Date.parse('0000-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59Z')

/** '2026-11-30T03:11:04Z', with milliseconds only where there are some. Whatever a node says, it is a moment: the nearest that can be written. */
export function formatInstant(ms: number): string {
  const text = new Date(Math.min(Math.max(ms, earliest), latest)).toISOString()
  return text.endsWith('.000Z') ? `${text.slice(0, -5)}Z` : text
}
