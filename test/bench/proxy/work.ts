// What the client of the bench is told, and what it answers.

export interface Work {
  /** Of a unix socket, or 'tcp:HOST:PORT'. */
  readonly address: string
  readonly ms: number
  /** As many calls at once, the next when one is answered. */
  readonly streams?: number
  /** Instead: calls a second, whether or not others are answered. */
  readonly perSecond?: number
}

export interface Measured {
  /** Milliseconds of each call. */
  readonly latencies: readonly number[]
  readonly perSecond: number
}
