// A takeover never goes without a watchdog: one that is gone is replaced, and when that happens again and again somebody does not want it.
import {type Clock, steadyNow} from '../../../base/clock.ts'
import {firstLine} from '../../../base/errors.ts'
import type {StartWatchdog, Watchdog} from '../take-over.ts'

export interface KeptWatchdog extends AsyncDisposable {
  /** When there is none any more: why. */
  readonly lost: Promise<string>
}

export interface KeepWatchdogOptions {
  readonly start: StartWatchdog
  readonly journalPath: string
  readonly forMs: number
  readonly clock: Clock
  /** Writes into the journal who it is. */
  readonly write: (pid: number) => Promise<void>
  /** Whether there is still something to watch over: a watchdog that was told to end has given the socket back. */
  readonly isNeeded: () => Promise<boolean>
  readonly onTrouble: (text: string) => void
}

const most = 3

/** One watches when this resolves, and the journal says so. @throws UserError when none can be started */
export async function keepWatchdog(options: KeepWatchdogOptions): Promise<KeptWatchdog> {
  const {start, journalPath, forMs, clock, write, isNeeded, onTrouble} = options
  const last = steadyNow(clock) + forMs
  let ended = false
  let watchdog: Watchdog
  const another = async () => {
    watchdog = await start({journalPath, forMs: Math.max(0, last - steadyNow(clock))})
    try {
      await write(watchdog.pid)
    } catch (error) {
      // Its heart would keep us alive.
      await watchdog[Symbol.asyncDispose]()
      throw error
    }
  }
  await another()
  const keep = async (): Promise<string> => {
    for (let losses = 1; ; losses++) {
      const how = await watchdog.gone
      if (ended || !(await isNeeded())) return await new Promise<never>(() => undefined)
      if (losses === most) return `its watchdog was lost ${most} times, at last with ${how}`
      onTrouble(`the watchdog ${watchdog.pid} is gone (${how}): another one is started`)
      try {
        await another()
      } catch (error) {
        return `its watchdog is gone (${how}), and there is no other: ${firstLine(error)}`
      }
      // Nobody would end it otherwise.
      if (ended) await watchdog[Symbol.asyncDispose]()
    }
  }
  return {
    lost: keep(),
    [Symbol.asyncDispose]: async () => {
      ended = true
      await watchdog[Symbol.asyncDispose]()
    },
  }
}
