// The part of a run that an expectation is about.

import type {Moment} from '../schema/expectation.ts'
import type {Matcher} from '../schema/matcher.ts'
import {neverWords} from './matcher-words.ts'
import {isLater, type Occurrence, occurrences} from './occurrences.ts'
import type {RunRecord} from './run-record.ts'

/** What lies in it is at or after `from`, and before `to`. */
export interface Window {
  readonly from: Occurrence
  readonly to: Occurrence
}

/** Before whatever comes at that moment, which is no event's place. */
const edge = (at: number): Occurrence => ({at, order: -1, event: {kind: 'step', at, text: ''}})

/** @returns why there is none: what opens it never happened. */
export function windowOf({since, until}: {readonly since?: Moment; readonly until?: Moment}, record: RunRecord): Window | string {
  const from = momentOf(since ?? 0, record)
  if (from === undefined) return neverWords(since as Matcher)
  // What never happens ends nothing.
  return {from, to: (until === undefined ? undefined : momentOf(until, record, from)) ?? edge(Number.POSITIVE_INFINITY)}
}

/** The first of them at or after another. */
function momentOf(moment: Moment, record: RunRecord, from?: Occurrence): Occurrence | undefined {
  if (typeof moment === 'number') return edge(record.start + moment)
  return occurrences(moment, record).find((one) => from === undefined || !isLater(from, one))
}

export function occurrencesIn(matcher: Matcher, {from, to}: Window, record: RunRecord): readonly Occurrence[] {
  return occurrences(matcher, record).filter((one) => !isLater(from, one) && isLater(to, one))
}
