// Time as a lab's node has it: somebody says how far it goes.
import type {Clock} from '../base/clock.ts'

export interface LabClock extends Clock {
  /** Goes on to that moment, milliseconds since 1970. */
  run(until: number): Promise<void>
}

/** Time that goes on by itself: to go on to a moment is to wait for it. */
export function runningClock(clock: Clock): LabClock {
  return {...clock, run: (until) => clock.sleep(Math.max(0, until - clock.now()))}
}
