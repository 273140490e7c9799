// Lets a node go on until something has happened there.
import type {LabNode} from '../lab/lab-node.ts'
import {firstOccurrence} from './first-occurrence.ts'
import type {Matcher} from './schema/matcher.ts'

/** An event is noticed that soon; what is to be done that much later or more is done to the millisecond. */
export const noticedWithin = 20

/**
 * @param last undefined comes then
 * @param seen how many events of the timeline were there before
 */
export async function waitFor(matcher: Matcher, node: LabNode, last: number, seen: number): Promise<number | undefined> {
  const occurred = firstOccurrence(matcher, node.timeline, seen)
  for (;;) {
    const at = occurred()
    if (at !== undefined) return at
    if (node.now() >= last) return undefined
    await node.run(Math.min(node.now() + noticedWithin, last))
  }
}
