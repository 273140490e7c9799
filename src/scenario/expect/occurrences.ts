// When what a matcher means happened, in the order of time.
import type {Event} from '../../timeline/event.ts'
import type {CallMatcher, Matcher} from '../schema/matcher.ts'
import {matchesCall} from './match-call.ts'
import {matchesDisk} from './match-disk.ts'
import {matchesContainer, matchesLog, matchesStep} from './match-happening.ts'
import {matchesWatch} from './match-watch.ts'
import type {RunRecord} from './run-record.ts'

export interface Occurrence {
  readonly at: number
  /** Its place in the timeline: of two of one millisecond, the lower one was there first. */
  readonly order: number
  readonly event: Event
}

export function occurrences(matcher: Matcher, record: Pick<RunRecord, 'events'>): readonly Occurrence[] {
  const found: Occurrence[] = []
  for (const [order, event] of record.events.entries()) {
    const at = momentOf(matcher, event)
    if (at !== undefined) found.push({at, order, event})
  }
  // A call that is asked for by its outcome counts from its end; sort() keeps the order of what is equal.
  return 'call' in matcher && asksForEnd(matcher) ? found.sort((a, b) => a.at - b.at) : found
}

/** When the event counts for the matcher; undefined when it does not. */
export function momentOf(matcher: Matcher, event: Event): number | undefined {
  switch (event.kind) {
    case 'call':
      if (!('call' in matcher) || !matchesCall(matcher, event)) return undefined
      return asksForEnd(matcher) ? event.endedAt : event.at
    case 'object':
      return 'watch' in matcher && matchesWatch(matcher, event) ? event.at : undefined
    case 'container':
      return 'runtime' in matcher && matchesContainer(matcher, event) ? event.at : undefined
    case 'disk':
      return 'disk' in matcher && matchesDisk(matcher, event) ? event.at : undefined
    case 'log':
      return 'log' in matcher && matchesLog(matcher, event) ? event.at : undefined
    // What the kubelet believes shows in what it does.
    case 'belief':
      return undefined
    case 'step':
      return 'step' in matcher && matchesStep(matcher, event) ? event.at : undefined
    default:
      return event satisfies never
  }
}

const asksForEnd = ({outcome, class: kind}: CallMatcher): boolean => outcome !== undefined || kind !== undefined

export const isLater = (one: Occurrence, other: Occurrence): boolean =>
  one.at > other.at || (one.at === other.at && one.order > other.order)
