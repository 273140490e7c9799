// Lets a node go on until something has happened there.
import type {LabNode} from '../lab/lab-node.ts'
import type {CallEvent} from '../timeline/event.ts'
import {momentOf} from './expect/occurrences.ts'
import type {Matcher} from './schema/matcher.ts'

/** An event is noticed that soon; what is to be done that much later or more is done to the millisecond. */
const look = 20

/**
 * @param last undefined comes then
 * @param seen how many events of the timeline were there before
 */
export async function waitFor(matcher: Matcher, node: LabNode, last: number, seen: number): Promise<number | undefined> {
  const {events} = node.timeline
  let next = 0
  /** Calls whose end is asked for, and which have not ended. */
  let open: CallEvent[] = []
  for (;;) {
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
    if (node.now() >= last) return undefined
    await node.run(Math.min(node.now() + look, last))
  }
}
