// What came closest to that which never happened: the last of its kind.
import type {Matcher} from '../schema/matcher.ts'
import type {Occurrence} from './occurrences.ts'
import type {RunRecord} from './run-record.ts'
import {occurrencesIn, type Window} from './window.ts'

export function nearMiss(matcher: Matcher, window: Window, record: RunRecord): Occurrence | undefined {
  return occurrencesIn(looser(matcher), window, record).at(-1)
}

/** Of the same pod and kind, whatever else. */
function looser(matcher: Matcher): Matcher {
  const pod = 'pod' in matcher && matcher.pod !== undefined ? {pod: matcher.pod} : {}
  if ('call' in matcher) return {call: 'any', ...pod, ...(matcher.to === undefined ? {} : {to: matcher.to})}
  if ('watch' in matcher) return {watch: 'any', ...pod}
  if ('runtime' in matcher) return {runtime: matcher.runtime, ...pod}
  if ('disk' in matcher) return {disk: matcher.disk, path: '/**'}
  return matcher
}
