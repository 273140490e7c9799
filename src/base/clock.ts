// Time is handed in: only commands name the system clock.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `ms`, rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

const longest = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
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
