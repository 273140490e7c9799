// The names beside a socket that is taken over. All follow from the journal, so that whoever finds it can clean up.
import type {Journal} from '../../node/takeover/journal.ts'

export type SideNames = ReturnType<typeof sideNames>

export function sideNames({side, held}: Pick<Journal, 'side' | 'held'>) {
  return {
    /** Of the original, from the swap on. */
    side,
    /** Only where names cannot be swapped at once, and for a moment. */
    held,
    /** A socket of ours on its way to the path, when the original is at `side` already. */
    fresh: `${side}.new`,
    /** What was taken away and has not been looked at yet: nobody else's swap under way can reach it. */
    scrap: `${side}.old`,
    /** What libuv bound, and removes when it closes: never the name of anything that matters. */
    bound: `${side}.bound`,
    trial: [`${side}.1`, `${side}.2`],
  } as const
}
