// What is to be done with one call: plain data, carried out at the ports of the lab and in the proxy.
import type {Edit} from './edit.ts'

export interface Plan {
  /**
   * Milliseconds to wait before the server hears of the call; Infinity: it never does. A caller that gives up meanwhile has taken the call back,
   * whatever `upstreamDeadline` says.
   */
  readonly before: number
  /** How often the server gets it. */
  readonly forward: 0 | 1 | 2
  /** With 'strip' the server works on when the caller has given up. */
  readonly upstreamDeadline: 'keep' | 'strip'
  /** Changes of what the caller sent. */
  readonly request?: readonly Edit[]
  readonly reply: Reply
}

export type Reply =
  | {readonly kind: 'pass'}
  /** Milliseconds that the answer is kept back; Infinity: the caller never hears it. */
  | {readonly kind: 'hold'; readonly ms: number}
  /** Another answer than the server's. */
  | {readonly kind: 'replace'; readonly with: Replacement}
  /** The connection breaks, or this call's stream alone. */
  | {readonly kind: 'reset'; readonly scope?: 'connection' | 'stream'}
  /** The server's answer, changed; of a stream each message. */
  | {readonly kind: 'edit'; readonly edits: readonly Edit[]}
  /** The last answer that this rule saw for the same request, in place of the present one; the first passes. */
  | {readonly kind: 'stale'}
  /** Of two calls that the rule takes one after the other, the first is answered when the second has been, or never. */
  | {readonly kind: 'swap'}
  /** Bytes of the answer come at this pace. */
  | {readonly kind: 'throttle'; readonly bytesPerSecond: number}
  /** After so many messages the stream ends: with that error, or as if all were said. */
  | {readonly kind: 'cut'; readonly after: number; readonly code?: string}
  /** After so many messages nothing comes, and the stream stays open. */
  | {readonly kind: 'stall'; readonly after: number}

export type Replacement =
  | {readonly code: string; readonly message: string; readonly details?: readonly StatusDetail[]}
  | {readonly response: unknown}
  /** What the server would answer, had it done it. */
  | {readonly asIfDone: true}

/** google.protobuf.Any, as JSON has it where the type is known, else its bytes. */
export interface StatusDetail {
  /** 'google.rpc.ErrorInfo' */
  readonly type: string
  /** base64 */
  readonly value: string
}

export const passed: Plan = {before: 0, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'pass'}}
