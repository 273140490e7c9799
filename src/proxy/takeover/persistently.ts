// What must be undone is tried more than once: a directory may be read-only, or a disk full, for a moment.
import type {Clock} from '../../base/clock.ts'
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import type {Journal} from '../../node/takeover/journal.ts'

const tries = 4
const pause = 500

/** @throws UserError with exit code 4 */
export async function persistently<T>(clock: Clock, {socket}: Journal, work: () => Promise<T>): Promise<T> {
  for (let left = tries; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left > 1) {
        await clock.sleep(pause)
        continue
      }
      if (error instanceof UserError) throw error
      throw new UserError(`Cannot give ${socket} back as its directory must let us: ${firstLine(error)}`, {
        hint: 'the watchdog goes on trying for a quarter of an hour; after that run `kubelimbo restore`',
        exit: exitCodes.dirty,
        cause: error,
      })
    }
  }
}
