// A rule: which calls, how many of them, and what happens to them.
import type {Service} from '../timeline/event.ts'
import type {Scalar} from './edit.ts'
import type {Fault} from './fault.ts'

export interface Rule {
  readonly name: string
  readonly match: Match
  /** How many calls it takes, counted from the first that matches after `skip`; absent: all. */
  readonly limit?: number
  /** How many matching calls pass first. */
  readonly skip?: number
  /** Of those behind `skip`, each n-th is taken: the n-th, the 2n-th. Absent: 1. */
  readonly every?: number
  /** `skip`, `every` and `limit` count for each value of it by itself: 'pod', 'container', 'pvc', or a field of the request. */
  readonly per?: string
  /** Of each call that the counts would take: from above 0 to 1. */
  readonly probability?: number
  /** Milliseconds since the rule was armed. */
  readonly from?: number
  readonly until?: number
  readonly fault: Fault
}

/** 'registration' is the kubelet's plugin registration; 'other' any gRPC service else. */
export type Callee = Service | 'registration' | 'other'

export interface Match {
  /** Absent: any. */
  readonly to?: Callee
  /** A gRPC service's full name, 'csi.v1.Node'; a version is not needed ('runtime.RuntimeService' is v1 and v1alpha2). */
  readonly service?: string
  /** Absent: any; '*' stands for any letters: 'Node*Volume'. */
  readonly method?: string
  /** 'namespace/name'; '*' in it stands for any letters. */
  readonly pod?: string
  readonly podUid?: string
  readonly container?: string
  /** 'namespace/name' of the claim. */
  readonly pvc?: string
  /** Fields of the request and what they must be; a nested one is 'config.metadata.name'. */
  readonly request?: Readonly<Record<string, Scalar>>
}

/** A call as far as rules can tell it apart. */
export interface MatchedCall {
  readonly to: Callee
  readonly service?: string
  readonly method: string
  readonly pod?: string
  readonly podUid?: string
  readonly container?: string
  /** All claims that its volume may be. */
  readonly pvc?: string
  readonly request: Readonly<Record<string, unknown>>
}
