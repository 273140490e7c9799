// What is to be done with one call: plain data, carried out at the ports of the lab and in the proxy.

export interface Plan {
  /** Milliseconds to wait before the server hears of the call; Infinity: it never does. */
  readonly before: number
  /** How often the server gets it. */
  readonly forward: 0 | 1 | 2
  /** With 'strip' the server works on when the caller has given up. */
  readonly upstreamDeadline: 'keep' | 'strip'
  readonly reply: Reply
}

export type Reply =
  | {readonly kind: 'pass'}
  /** Milliseconds that the answer is kept back; Infinity: the caller never hears it. */
  | {readonly kind: 'hold'; readonly ms: number}
  /** Another answer than the server's. */
  | {readonly kind: 'replace'; readonly with: Replacement}
  /** The connection breaks. */
  | {readonly kind: 'reset'}

export type Replacement =
  | {readonly code: string; readonly message: string}
  | {readonly response: unknown}
  /** What the server would answer, had it done it. */
  | {readonly asIfDone: true}

export const passed: Plan = {before: 0, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'pass'}}
