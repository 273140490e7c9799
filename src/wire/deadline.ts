// Work under a deadline and a signal: whoever comes first ends it, and the losers are aborted.
import type {Clock} from '../base/clock.ts'

export interface Deadline {
  readonly clock: Clock
  readonly ms: number
  /** The error when the time is over. */
  readonly expired: () => Error
  readonly signal?: AbortSignal
}

/**
 * Ends when the work, the deadline or the signal does, even if the work does not heed its signal.
 * Aborted work that settles at once is heard: a list may hand over what it has.
 */
export async function withDeadline<T>(deadline: Deadline, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const {clock, ms, expired, signal} = deadline
  signal?.throwIfAborted()
  const controller = new AbortController()
  const end = Promise.withResolvers<never>()
  const abort = (reason: unknown) => {
    controller.abort(reason)
    setImmediate(() => end.reject(reason))
  }
  const forward = () => abort(signal?.reason)
  signal?.addEventListener('abort', forward, {once: true})
  const timer = new AbortController()
  clock.sleep(ms, timer.signal).then(
    () => abort(expired()),
    () => undefined,
  )
  try {
    return await Promise.race([work(controller.signal), end.promise])
  } finally {
    timer.abort()
    signal?.removeEventListener('abort', forward)
  }
}
