// What expectations are held against: the timeline of one run, from its start to its end.
import type {Event} from '../../timeline/event.ts'

export interface RunRecord {
  readonly events: readonly Event[]
  /** Milliseconds since 1970. */
  readonly start: number
  readonly end: number
}

/** One expectation, judged. */
export interface Checked {
  readonly held: boolean
  /** In words, with times from the start. */
  readonly why: string
  /** The one that decided it. */
  readonly event?: Event
}

/** '12.3 s', from the start. */
export const secondsOf = (ms: number): string => `${(Math.round(ms) / 1000).toFixed(ms % 1000 === 0 ? 0 : ms % 100 === 0 ? 1 : 3)} s`

export const since = (record: Pick<RunRecord, 'start'>, at: number): string => `at ${secondsOf(at - record.start)}`
