// A call as the proxy saw it: what `trace` shows, the ledger adds up and a recording keeps, a line of JSON each.

/**
 * One for each call, when its client has its answer or has given up. Where the server works on then, or a duplicate does, there is a second one with
 * the same id once they have ended too: it has `update`.
 */
export interface TracedCall {
  /** Counts the calls of this proxy from 1, in the order of their HEADERS. */
  readonly id: number
  /** The whole event again, with what the server did after the client's part was over. */
  readonly update?: true
  readonly connection: number
  /** When its HEADERS came, milliseconds since 1970. */
  readonly at: number
  /** 'csi.v1.Node' */
  readonly service: string
  readonly method: string
  /** What grpc-timeout gave it; absent: no deadline. */
  readonly timeoutMs?: number
  /** Until the client had its answer or gave up. */
  readonly durationMs: number
  /** Of that, of a call that a rule took: what passed until the server gave its answer, piece by piece. Absent: nothing of it. */
  readonly serverMs?: number
  /**
   * What the client got: a gRPC code's name, 'OK'. Where it took the call back or closed its connection: 'DEADLINE_EXCEEDED' when its deadline had passed
   * or was less than 50 ms away, else 'CANCELLED'. 'UNAVAILABLE' where the server or the proxy broke a connection.
   */
  readonly code: string
  readonly message?: string
  /** Of the bodies, as the client sent and got them: each message is 5 bytes longer than itself. */
  readonly requestBytes: number
  readonly responseBytes: number
  /** The rule that took it, and its fault's kind. */
  readonly rule?: string
  readonly fault?: string
  /** Why a rule that matched could not do its work. */
  readonly skipped?: string
  /** Of NodeStageVolume and NodePublishVolume that failed: what the kubelet makes of the code. */
  readonly class?: 'final' | 'uncertain'
  /** The call that must still follow, as this one has happened or may have: 'NodeUnstageVolume'. */
  readonly owed?: string
  /** What the server did, where the client did not hear it. */
  readonly upstream?: UpstreamPart
  /** The same of the second call that a rule made of this one. */
  readonly duplicate?: UpstreamPart
  readonly pod?: string
  readonly podUid?: string
  readonly container?: string
  readonly volume?: string
  readonly pvc?: string
  /** What the proxy decoded of the request: redacted, scalars of the first rank that have a value. Absent: nobody read it. */
  readonly request?: Readonly<Record<string, unknown>>
}

export interface UpstreamPart {
  readonly code: string
  readonly durationMs: number
  /** It ended after the client's part was over: with 'OK', a late success. */
  readonly late: boolean
}
