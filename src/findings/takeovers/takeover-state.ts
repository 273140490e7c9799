// How a takeover stands, by its journal and by who of its processes is there.
import type {TakeoverJournal} from '../../node/takeover/takeover.ts'

export type TakeoverState =
  | 'unreadable'
  /** Its server's own socket is at the path, and the takeover is over, or never was. */
  | 'journal left'
  /** A server that has restarted has the path. */
  | 'server has it'
  /** Its server's own socket is still at the path, or again. */
  | 'about to be'
  | 'other boot'
  | 'gone'
  | 'overdue'
  | 'unwatched'
  | 'in force'

/** Between its end and the moment at which its journal is gone, connections are drained. */
export const takeoverGraceMs = 60_000

/** @param when milliseconds since 1970 */
export function takeoverState({unreadable, socket, expiresAt, holder, atPath}: TakeoverJournal, when: number): TakeoverState {
  if (unreadable !== undefined || socket === undefined || expiresAt === undefined) return 'unreadable'
  const isOver = holder?.otherBoot || holder?.proxy === 'gone' || when - expiresAt > takeoverGraceMs
  if (isOver && atPath === 'original') return 'journal left'
  if (isOver && atPath === 'other') return 'server has it'
  if (atPath === 'original') return 'about to be'
  if (holder?.otherBoot) return 'other boot'
  if (holder?.proxy === 'gone') return 'gone'
  if (when - expiresAt > takeoverGraceMs) return 'overdue'
  return holder?.watchdog === 'gone' ? 'unwatched' : 'in force'
}

/** What a client finds at the path is no doing of the takeover's. */
export const isServers = (state: TakeoverState): boolean => state === 'journal left' || state === 'server has it' || state === 'about to be'
