// Whether something has happened yet, in a timeline that grows.
import type {CallEvent} from '../timeline/event.ts'
import type {Timeline} from '../timeline/timeline.ts'
import {momentOf} from './expect/occurrences.ts'
import type {Matcher} from './schema/matcher.ts'

/**
 * Each event is looked at once, when it is new.
 * @param seen how many events were there before: they do not count, but what ends later does
 * @returns when it happened; undefined as long as it has not
 */
export function firstOccurrence(matcher: Matcher, {events}: Timeline, seen: number): () => number | undefined {
  let next = 0
  /** Calls whose end is asked for, and which have not ended. */
  let open: CallEvent[] = []
  return () => {
    for (const call of open) {
      const at = momentOf(matcher, call)
      if (at !== undefined) return at
    }
    open = open.filter(({endedAt}) => endedAt === undefined)
    for (; next < events.length; next++) {
      const event = events[next]
      if (event === undefined) continue
      if (event.kind === 'call' && event.endedAt === undefined) open.push(event)
      const at = next < seen ? undefined : momentOf(matcher, event)
      if (at !== undefined) return at
    }
    return undefined
  }
}
