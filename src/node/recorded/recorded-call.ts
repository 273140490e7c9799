// A call with its messages, as a recording and a bundle keep it: a line of JSON each. No secret is in it.
import type {JsonValue} from '@bufbuild/protobuf'

/** The first line of a recording. */
export interface RecordingHead {
  readonly apiVersion: 'kubelimbo/v1'
  readonly kind: 'Recording'
  readonly metadata: {readonly node: string; readonly when: string; readonly tool: string}
}

export interface RecordedCall {
  /** Where clients find the server: '/run/containerd/containerd.sock'. */
  readonly socket: string
  /** When it began, milliseconds since 1970. */
  readonly at: number
  /** 'runtime.v1.RuntimeService' */
  readonly service: string
  readonly method: string
  readonly timeoutMs?: number
  readonly durationMs: number
  /** What the client got: a gRPC code's name, 'OK'. */
  readonly code: string
  readonly message?: string
  /** The request as protobuf's JSON, redacted; absent: the method is not known, or `unkept` says why. */
  readonly request?: JsonValue
  /** What the client got, in its order; of a unary call one. */
  readonly responses?: readonly JsonValue[]
  /** Why a message is not here: 'the answer has 20 MB'. */
  readonly unkept?: string
  /** Of a rule that took it. */
  readonly rule?: string
  readonly fault?: string
}
