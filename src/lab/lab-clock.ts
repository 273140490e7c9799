// Time as a lab's node has it: somebody says how far it goes.
import type {Clock} from '../base/clock.ts'
import {onAbort} from '../base/on-abort.ts'

export interface LabClock extends Clock {
  /** Goes on to that moment, milliseconds since 1970. */
  run(until: number): Promise<void>
}

/**
 * Time that goes on by itself: to go on to a moment is to wait for it.
 * @param end for all who sleep then it stands still, and nothing holds the process
 */
export function runningClock<C extends Clock>(clock: C, end: AbortSignal): C & LabClock {
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const own = new AbortController()
      const stay = [onAbort(end, () => own.abort()), ...(signal === undefined ? [] : [onAbort(signal, () => own.abort())])]
      if (end.aborted || signal?.aborted) own.abort()
      const leave = () => {
        for (const each of stay) each()
      }
      clock.sleep(ms, own.signal).then(
        () => {
          leave()
          resolve()
        },
        () => {
          leave()
          if (signal?.aborted) reject(signal.reason)
        },
      )
    })
  return {
    ...clock,
    sleep,
    run: async (until) => {
      if (until > clock.now()) await clock.sleep(until - clock.now(), end)
    },
  }
}
