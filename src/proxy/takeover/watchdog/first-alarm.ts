// When a watchdog must act: the proxy is gone or silent, the time is over, or somebody ends the watchdog itself.
import {type Clock, steadyNow} from '../../../base/clock.ts'
import {onAbort} from '../../../base/on-abort.ts'

export type Alarm = 'proxy gone' | 'proxy silent' | 'time over' | 'told to end'

export interface AlarmOptions {
  /** Milliseconds from now until the proxy gives back by itself. */
  readonly forMs: number
  /** Something each second as long as the proxy lives; it ends with the proxy. */
  readonly heartbeats: AsyncIterable<unknown>
  readonly clock: Clock
  /** The watchdog itself is to end. */
  readonly signal: AbortSignal
}

const tick = 1000
const patience = 15
/** The proxy has its own clock, and gives back itself. */
const grace = 5000

export async function firstAlarm({forMs, heartbeats, clock, signal}: AlarmOptions): Promise<Alarm> {
  if (signal.aborted) return 'told to end'
  const over = steadyNow(clock) + forMs + grace
  const done = new AbortController()
  let silent = 0
  const heard = async (): Promise<Alarm> => {
    try {
      for await (const _ of heartbeats) silent = 0
    } catch {
      // A pipe that breaks has ended.
    }
    return 'proxy gone'
  }
  const ticked = async (): Promise<Alarm> => {
    for (;;) {
      await clock.sleep(tick, done.signal)
      if (steadyNow(clock) >= over) return 'time over'
      // Counted in ticks of our own: who was stopped itself has heard nothing, and there is nothing in that.
      if (++silent > patience) return 'proxy silent'
    }
  }
  const told = new Promise<Alarm>((resolve) => void onAbort(signal, () => resolve('told to end')))
  const ticks = ticked()
  ticks.catch(() => undefined)
  try {
    return await Promise.race([heard(), ticks, told])
  } finally {
    done.abort()
  }
}
