// Waiting for an end, for so long, for somebody who may leave.
import type {Clock} from '../../base/clock.ts'
import {onAbort} from '../../base/on-abort.ts'
import type {Caller} from '../port/server.ts'

/** True when it ended in time, false when the time was over. Rejects with the reason of the caller's signal when they leave first. */
export async function endsWithin(ended: Promise<unknown>, ms: number, clock: Clock, caller: Caller): Promise<boolean> {
  const over = new AbortController()
  const stay = onAbort(caller.signal, () => over.abort(caller.signal.reason))
  try {
    return await Promise.race([ended.then(() => true), clock.sleep(ms, over.signal).then(() => false)])
  } finally {
    stay()
    // A sleeper that nobody waits for would be one more jump of the clock.
    over.abort(ended)
  }
}
