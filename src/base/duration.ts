// Durations are '2m30s' at the edge and milliseconds inside.
import {UserError} from './errors.ts'

const units: Readonly<Record<string, number>> = {ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000}

/**
 * Whole milliseconds of '10s', '1m30s', '250ms' or a bare number of seconds.
 * @throws UserError naming `what` when the text is no duration or negative.
 */
export function parseDuration(text: string, what: string): number {
  const trimmed = text.trim()
  if (/^\d+(\.\d+)?$/.test(trimmed)) return Math.round(Number(trimmed) * 1000)
  const parts = [...trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)]
  if (parts.length === 0 || parts.map((part) => part[0]).join('') !== trimmed) {
    throw new UserError(`Cannot read ${what} as it must be a duration such as 10s or 1m30s: it is '${text}'`)
  }
  // 16.1 s are 16100 ms, not 16100.000000000002.
  return Math.round(parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? ''] ?? 0), 0))
}

/** '250ms', '45s', '2m 5s', '3h 2m', '5d 1h': the two largest units, rounded down. */
export function formatDuration(ms: number): string {
  const seconds = Math.floor(Math.abs(ms) / 1000)
  if (seconds === 0 && Math.abs(ms) >= 1) return `${Math.floor(Math.abs(ms))}ms`
  if (seconds < 60) return `${seconds}s`
  const steps: readonly [string, number, string, number][] = [
    ['d', 86_400, 'h', 3600],
    ['h', 3600, 'm', 60],
    ['m', 60, 's', 1],
  ]
  for (const [large, largeSize, small, smallSize] of steps) {
    if (seconds < largeSize) continue
    const rest = Math.floor((seconds % largeSize) / smallSize)
    return rest === 0 ? `${Math.floor(seconds / largeSize)}${large}` : `${Math.floor(seconds / largeSize)}${large} ${rest}${small}`
  }
  return `${seconds}s`
}
