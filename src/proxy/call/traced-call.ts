// A call as the proxy saw it: what `trace` shows, the ledger adds up and a recording keeps, a line of JSON each.

export interface TracedCall {
  /** Counts the calls of this proxy from 1, in the order of their HEADERS. */
  readonly id: number
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
  /** What the client got: a gRPC code's name, 'OK'; 'CANCELLED' or 'DEADLINE_EXCEEDED' where it gave up; 'UNAVAILABLE' where a connection broke. */
  readonly code: string
  readonly message?: string
  readonly requestBytes: number
  readonly responseBytes: number
  /** The rule that took it, and its fault's kind. */
  readonly rule?: string
  readonly fault?: string
  /** Why a rule that matched could not do its work. */
  readonly skipped?: string
  /** Of NodeStageVolume and NodePublishVolume that failed: what the kubelet makes of the code. */
  readonly class?: 'final' | 'uncertain'
  /** The call that must still follow: 'NodeUnstageVolume'. */
  readonly owed?: string
  /** What the server did, where the client did not hear it. */
  readonly upstream?: {readonly code: string; readonly durationMs: number; readonly late: boolean}
  readonly pod?: string
  readonly podUid?: string
  readonly container?: string
  readonly volume?: string
  readonly pvc?: string
  /** What the proxy decoded of the request: redacted, scalars of the first rank. */
  readonly request?: Readonly<Record<string, unknown>>
}
