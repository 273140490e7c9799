// Time that runs faster than a real clock: what a kubelet waits for in minutes comes in seconds.
import type {Clock} from './clock.ts'

export interface ScaledClock extends Clock {
  /** It runs that many times as fast. */
  readonly scale: number
  /** The clock that others have, who know nothing of the scale. */
  readonly real: Clock
  /** By this clock, of a moment by the real one. */
  fromReal(moment: number): number
}

/** @param start what it shows now. Default: what the real clock does */
export function scaledClock(real: Clock, scale: number, start: number = real.now()): ScaledClock {
  const begun = real.now()
  const fromReal = (moment: number) => start + Math.floor((moment - begun) * scale)
  const now = () => fromReal(real.now())
  return {
    scale,
    real,
    fromReal,
    now,
    sleep: async (ms, signal) => {
      const until = now() + ms
      // A timer counts whole milliseconds, may fire one too early, and ends by itself after weeks.
      do await real.sleep(Math.max(0, Math.ceil((until - now()) / scale)), signal)
      while (now() < until)
    },
  }
}
