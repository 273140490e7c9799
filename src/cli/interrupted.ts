// The user, or whoever started us, wants us to stop.
import {type Clock, systemClock} from '../base/clock.ts'

export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  /** 128 and the signal's number, as shells have it. */
  readonly exit: number

  /** @param signal SIGPIPE: nobody reads what is printed any more */
  constructor(signal: 'SIGINT' | 'SIGTERM' | 'SIGPIPE') {
    super(`stopped by ${signal}`)
    this.exit = {SIGINT: 130, SIGPIPE: 141, SIGTERM: 143}[signal]
  }
}

/** Of one Ctrl-C: the terminal tells us, and so may who started us, such as npx or timeout. */
const sameMs = 500

/** Aborts at the first signal; a later one ends the process, should something not heed the first. */
export function onInterrupt(abort: (reason: Interrupted) => void, clock: Pick<Clock, 'now'> = systemClock): Disposable {
  let first: number | undefined
  const stop = (signal: 'SIGINT' | 'SIGTERM') => {
    const reason = new Interrupted(signal)
    if (first !== undefined) {
      if (clock.now() - first > sameMs) process.exit(reason.exit)
      return
    }
    first = clock.now()
    abort(reason)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return {
    [Symbol.dispose]: () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
    },
  }
}
