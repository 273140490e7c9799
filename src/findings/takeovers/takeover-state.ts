// How a takeover stands, by its journal and by who of its processes is there.
import type {TakeoverJournal} from '../../node/takeover/takeover.ts'

export type TakeoverState = 'unreadable' | 'other boot' | 'gone' | 'overdue' | 'unwatched' | 'in force'

/** @param when milliseconds since 1970 @param graceMs how long after its end its journal may be there */
export function takeoverState({unreadable, socket, expiresAt, holder}: TakeoverJournal, when: number, graceMs: number): TakeoverState {
  if (unreadable !== undefined || socket === undefined || expiresAt === undefined) return 'unreadable'
  if (holder?.otherBoot) return 'other boot'
  if (holder?.proxy === 'gone') return 'gone'
  if (when - expiresAt > graceMs) return 'overdue'
  return holder?.watchdog === 'gone' ? 'unwatched' : 'in force'
}
