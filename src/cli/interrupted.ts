// The user, or whoever started us, wants us to stop.
import {type Clock, steadyNow, systemClock} from '../base/clock.ts'

const exits = {SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGPIPE: 141, SIGTERM: 143} as const

/** A terminal that is closed, and Ctrl-\, too: what we did must be undone. */
const heeded = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const

export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  /** 128 and the signal's number, as shells have it. */
  readonly exit: number

  /** @param signal SIGPIPE: nobody reads what is printed any more */
  constructor(signal: keyof typeof exits) {
    super(`stopped by ${signal}`)
    this.exit = exits[signal]
  }
}

/** Of one Ctrl-C: the terminal tells us, and so may who started us, such as npx or timeout. */
const sameMs = 500

/**
 * Aborts at the first signal; a later one ends the process, should something not heed the first.
 * @param hurry what the second one does instead, where there is something that can be cut short
 */
export function onInterrupt(
  abort: (reason: Interrupted) => void,
  hurry?: (reason: Interrupted) => void,
  clock: Pick<Clock, 'now' | 'steady'> = systemClock,
): Disposable {
  let last: number | undefined
  const steps = [abort, ...(hurry === undefined ? [] : [hurry])]
  const stop = (signal: (typeof heeded)[number]) => {
    const reason = new Interrupted(signal)
    if (last !== undefined && steadyNow(clock) - last <= sameMs) return
    last = steadyNow(clock)
    const step = steps.shift()
    if (step === undefined) process.exit(reason.exit)
    step(reason)
  }
  for (const signal of heeded) process.on(signal, stop)
  return {
    [Symbol.dispose]: () => {
      for (const signal of heeded) process.off(signal, stop)
    },
  }
}
