// Whether the container runtime answers: one outcome a call. A call that hangs is not a dead runtime.
import type {FailureKind, RpcCode, RpcFailure} from '../../wire/rpc-failure.ts'

/** In the order in which they are asked; 'connect' ends with the server's greeting. */
export const runtimeMethods = ['connect', 'Version', 'Status', 'ListPodSandbox', 'ListContainers', 'ListImages'] as const

export type RuntimeMethod = (typeof runtimeMethods)[number]

export type CallOutcome =
  | {readonly state: 'answered' /** Absent where nobody took the time. */; readonly tookMs?: number}
  /** Nothing came in this time. */
  | {readonly state: 'silent'; readonly waitedMs: number}
  | {readonly state: 'failed'; readonly kind: FailureKind; readonly code: RpcCode; readonly why: string}

export interface RuntimeCall {
  readonly method: RuntimeMethod
  readonly outcome: CallOutcome
}

/** What the runtime says of itself, by Status: RuntimeReady, NetworkReady. */
export interface RuntimeCondition {
  readonly type: string
  readonly status: boolean
  readonly reason: string
  readonly message: string
}

export interface RuntimeAnswers {
  /** 'unix:///run/containerd/containerd.sock' */
  readonly endpoint: string
  /** Who names it: '--runtime-endpoint', 'kubelet (pid 812)', 'a usual place'. */
  readonly source: string
  /** The user or the kubelet names it; else it is a guess of ours. */
  readonly told: boolean
  /** Such as 'containerd'; absent when Version was not answered. */
  readonly name?: string
  readonly version?: string
  readonly calls: readonly RuntimeCall[]
  readonly conditions: readonly RuntimeCondition[]
}

export function outcomeOf({kind, code, message}: RpcFailure, waitedMs: number): CallOutcome {
  return kind === 'silent' ? {state: 'silent', waitedMs} : {state: 'failed', kind, code, why: message}
}
