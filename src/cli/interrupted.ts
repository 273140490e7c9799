// The user, or whoever started us, wants us to stop.

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

/** Aborts at the first signal; the second one ends the process, should something not heed the first. */
export function onInterrupt(abort: (reason: Interrupted) => void): Disposable {
  let stopping = false
  const stop = (signal: 'SIGINT' | 'SIGTERM') => {
    const reason = new Interrupted(signal)
    if (stopping) process.exit(reason.exit)
    stopping = true
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
