// Time is handed in: only commands name the system clock.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds since a moment of the process, for spans that no step of the system's time may change. Absent: by now(). */
  steady?(): number
  /** Resolves after `ms`, rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const steadyNow = (clock: Pick<Clock, 'now' | 'steady'>): number => clock.steady?.() ?? clock.now()

const longest = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const abort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      // A longer timer would fire at once.
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        },
        Math.min(ms, longest),
      )
      signal?.addEventListener('abort', abort, {once: true})
    }),
}
