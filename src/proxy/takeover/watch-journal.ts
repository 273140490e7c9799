// Whether the journal is still there: without it nobody could give the socket back after a kill, not even the watchdog, for which a journal that is gone means that all is done.
import {lstat} from 'node:fs/promises'
import type {Clock} from '../../base/clock.ts'
import {firstLine} from '../../base/errors.ts'

export interface WatchJournalOptions {
  readonly path: string
  /** Once more, as it was. */
  readonly write: () => Promise<void>
  /** Whoever gives back does that first, and removes the journal then. */
  readonly isOurs: () => Promise<boolean>
  readonly clock: Clock
  /** Nobody wants to know any more. */
  readonly signal: AbortSignal
  readonly onTrouble: (text: string) => void
}

const lookEvery = 500

/** Resolves to why when it was removed and cannot be written anew; never when the signal comes first. */
export async function watchJournal(options: WatchJournalOptions): Promise<string> {
  const {path, write, isOurs, clock, signal, onTrouble} = options
  const never = new Promise<never>(() => undefined)
  for (;;) {
    await clock.sleep(lookEvery, signal).catch(() => undefined)
    if (signal.aborted) return never
    if ((await isThere(path)) || !(await isOurs().catch(() => true))) continue
    if (signal.aborted) return never
    try {
      await write()
      onTrouble(`somebody has removed the journal ${path}: it is written anew`)
    } catch (error) {
      return `somebody has removed the journal ${path}, and it cannot be written anew: ${firstLine(error)}`
    }
  }
}

/** Who may not look has lost nothing. */
const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    ({code}: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'ENOTDIR',
  )
