// How long something that failed is left alone: 10 s, doubled up to 300 s. Upstream: client-go/util/flowcontrol/backoff.go
import type {Clock} from '../../base/clock.ts'

export interface BackOff {
  /** Milliseconds; 0 of what has never failed. */
  get(key: string): number
  /** To the next step. */
  next(key: string, eventAt: number): void
  isInBackOffSince(key: string, eventAt: number): boolean
  isInBackOffSinceUpdate(key: string, eventAt: number): boolean
  gc(): void
}

export function backOff(clock: Clock, initial = 10_000, max = 300_000): BackOff {
  const entries = new Map<string, {backoff: number; updatedAt: number}>()
  // What was well for twice the longest wait begins anew.
  const expired = (eventAt: number, updatedAt: number) => eventAt - updatedAt > 2 * max
  return {
    get: (key) => entries.get(key)?.backoff ?? 0,
    next: (key, eventAt) => {
      const entry = entries.get(key)
      const backoff = entry === undefined || expired(eventAt, entry.updatedAt) ? initial : Math.min(entry.backoff * 2, max)
      entries.set(key, {backoff, updatedAt: clock.now()})
    },
    isInBackOffSince: (key, eventAt) => {
      const entry = entries.get(key)
      return entry !== undefined && !expired(eventAt, entry.updatedAt) && clock.now() - eventAt < entry.backoff
    },
    isInBackOffSinceUpdate: (key, eventAt) => {
      const entry = entries.get(key)
      return entry !== undefined && !expired(eventAt, entry.updatedAt) && eventAt - entry.updatedAt < entry.backoff
    },
    gc: () => {
      for (const [key, {updatedAt}] of entries) if (expired(clock.now(), updatedAt)) entries.delete(key)
    },
  }
}
