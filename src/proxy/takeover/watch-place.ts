// Whether we still have the place of a socket that we took over. A server that starts again binds its own there, which is not ours to change.
import {watch} from 'node:fs'
import type {Clock} from '../../base/clock.ts'
import type {GivenBack} from './give-back.ts'
import type {TakenPlace} from './take-place.ts'

export interface WatchPlaceOptions {
  /** Of the socket. */
  readonly directory: string
  readonly place: Pick<TakenPlace, 'isOurs' | 'giveBack'>
  readonly clock: Clock
  /** Nobody wants to know any more. */
  readonly signal: AbortSignal
  readonly watchFolder?: WatchFolder
}

/** Calls back when something changes there, and maybe when nothing does. */
export type WatchFolder = (directory: string, onChange: () => void) => Disposable

/** Watches of a directory can be lost without a word, as with one that is removed. */
const lookEvery = 500
/** Between a server's last look at its path and its listening again there is a moment without a socket (containerd unlinks before it binds). */
const settling = 200

/** Resolves when the place is lost and nothing of ours is left there; never when the signal comes first. @throws what giveBack() does */
export function watchPlace(options: WatchPlaceOptions): Promise<GivenBack> {
  return untilLost(options).catch((error: unknown) => {
    if (options.signal.aborted) return new Promise<never>(() => undefined)
    throw error
  })
}

async function untilLost({directory, place, clock, signal, watchFolder = byKernel}: WatchPlaceOptions): Promise<GivenBack> {
  let wake = new AbortController()
  using _watch = watchFolder(directory, () => wake.abort())
  for (;;) {
    signal.throwIfAborted()
    if (!(await ours(place))) {
      await clock.sleep(settling, signal)
      if (!(await ours(place))) return await place.giveBack()
    }
    await clock.sleep(lookEvery, AbortSignal.any([wake.signal, signal])).catch(() => undefined)
    if (wake.signal.aborted) wake = new AbortController()
  }
}

/** Who may not look has lost nothing. */
const ours = (place: Pick<TakenPlace, 'isOurs'>): Promise<boolean> =>
  place.isOurs().catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error
    return true
  })

const byKernel: WatchFolder = (directory, onChange) => {
  try {
    const watcher = watch(directory, {persistent: false}, onChange).on('error', () => undefined)
    return {[Symbol.dispose]: () => watcher.close()}
  } catch {
    // inotify has limits: the looks remain.
    return {[Symbol.dispose]: () => undefined}
  }
}
