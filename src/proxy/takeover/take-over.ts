// Takes a live socket over for a while: journal, watchdog, swap; and gives it back, whatever happens.
import type {Clock} from '../../base/clock.ts'
import type {Journal} from '../../node/takeover/journal.ts'
import type {GivenBack} from './give-back.ts'

/** The watchdog is the same program once more, in a session of its own. It holds the reading end of a pipe: when that ends or falls silent, or the time is over, it gives the socket back. */
export interface Watchdog extends AsyncDisposable {
  readonly pid: number
  /** When it is gone before it was told to. */
  readonly gone: Promise<string>
}

export interface WatchdogOptions {
  readonly journalPath: string
  /** Milliseconds from now, by a clock that is not set. */
  readonly forMs: number
}

/** It watches when this resolves. @throws UserError */
export type StartWatchdog = (options: WatchdogOptions) => Promise<Watchdog>

export interface TakeOverOptions {
  /** As parseTakenSocket() has checked it. */
  readonly socket: string
  readonly forMs: number
  readonly tool: string
  /** Of journals: made with mode 0700. */
  readonly journals: string
  readonly pid: number
  readonly clock: Clock
  readonly startWatchdog: StartWatchdog
}

export interface Takeover extends AsyncDisposable {
  readonly journal: Journal
  /** The place was lost: the server has restarted and has it, or somebody gave it back. Looked for by a watch of the directory. */
  readonly lost: Promise<GivenBack>
}
