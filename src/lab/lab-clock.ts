// Time as a lab's node has it: somebody says how far it goes.
import type {Clock} from '../base/clock.ts'
import {onAbort} from '../base/on-abort.ts'

export interface LabClock extends Clock {
  /** Goes on to that moment, milliseconds since 1970. */
  run(until: number): Promise<void>
  /** How much later than it wanted somebody was awake, at most: milliseconds of this clock. Absent where time waits for everybody. */
  readonly late?: () => number
}

/**
 * Time that goes on by itself: to go on to a moment is to wait for it.
 * @param end for all who sleep then it stands still, and nothing holds the process
 */
export function runningClock<C extends Clock>(clock: C, end: AbortSignal): C & LabClock {
  let late = 0
  const awake = (wanted: number) => {
    late = Math.max(late, clock.now() - wanted)
  }
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const own = new AbortController()
      const wanted = clock.now() + ms
      const stay = [onAbort(end, () => own.abort()), ...(signal === undefined ? [] : [onAbort(signal, () => own.abort())])]
      if (end.aborted || signal?.aborted) own.abort()
      const leave = () => {
        for (const each of stay) each()
      }
      clock.sleep(ms, own.signal).then(
        () => {
          leave()
          awake(wanted)
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
      if (until <= clock.now()) return
      await clock.sleep(until - clock.now(), end)
      awake(until)
    },
    late: () => late,
  }
}
