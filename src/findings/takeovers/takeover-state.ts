// How a takeover stands, by its journal and by who of its processes is there.
import type {TakeoverJournal} from '../../node/takeover/takeover.ts'

export type TakeoverState = 'unreadable' | 'other boot' | 'gone' | 'overdue' | 'unwatched' | 'in force'

/** Between its end and the moment at which its journal is gone, connections are drained. */
export const takeoverGraceMs = 60_000

/** @param when milliseconds since 1970 */
export function takeoverState({unreadable, socket, expiresAt, holder}: TakeoverJournal, when: number): TakeoverState {
  if (unreadable !== undefined || socket === undefined || expiresAt === undefined) return 'unreadable'
  if (holder?.otherBoot) return 'other boot'
  if (holder?.proxy === 'gone') return 'gone'
  if (when - expiresAt > takeoverGraceMs) return 'overdue'
  return holder?.watchdog === 'gone' ? 'unwatched' : 'in force'
}
