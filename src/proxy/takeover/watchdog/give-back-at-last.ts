// What a watchdog does when it must: it gives the socket back, again and again until that is done or nobody can expect it any more.
import type {Clock} from '../../../base/clock.ts'
import type {Journal} from '../../../node/takeover/journal.ts'

export interface JournalAtHand {
  /** Undefined when there is none. @throws when it cannot be read */
  read(): Promise<Journal | undefined>
  remove(): Promise<void>
}

export interface GiveBackAtLastOptions {
  /** As the watchdog found it at its start. */
  readonly began: Journal
  readonly journal: JournalAtHand
  readonly giveBack: (journal: Journal) => Promise<unknown>
  readonly clock: Clock
  /** Whoever it is that waits no longer. */
  readonly signal: AbortSignal
}

const pause = 3000
/** A quarter of an hour: a file system that is read-only for longer is so for good. */
const tries = 300

/** @returns whether nothing is left to be done; otherwise the journal is still there, for `restore` */
export async function giveBackAtLast({began, journal, giveBack, clock, signal}: GiveBackAtLastOptions): Promise<boolean> {
  for (let left = tries; left > 0; left--) {
    try {
      const now = await journal.read()
      // Another one of the same socket may have begun as ours ended: it has a watchdog of its own.
      if (now === undefined || !isSameTakeover(now, began)) return true
      await giveBack(now)
      await journal.remove()
      return true
    } catch {
      await clock.sleep(pause, signal).catch(() => undefined)
      if (signal.aborted) return false
    }
  }
  return false
}

const isSameTakeover = (one: Journal, other: Journal): boolean =>
  one.proxy.pid === other.proxy.pid && one.proxy.startTicks === other.proxy.startTicks && one.startedAt === other.startedAt
