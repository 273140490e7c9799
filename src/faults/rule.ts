// A rule: which calls, how many of them, and what happens to them.
import type {Service} from '../timeline/event.ts'
import type {Fault} from './fault.ts'

export interface Rule {
  readonly name: string
  readonly match: Match
  /** How many calls it takes, counted from the first that matches after `skip`; absent: all. */
  readonly limit?: number
  /** How many matching calls pass first. */
  readonly skip?: number
  readonly fault: Fault
}

export interface Match {
  readonly to: Service
  readonly method: string
  /** 'namespace/name' */
  readonly pod?: string
  readonly container?: string
  /** Fields of the request and what they must be. */
  readonly request?: Readonly<Record<string, string | number | boolean>>
}

/** A call as far as rules can tell it apart. */
export interface MatchedCall {
  readonly to: Service
  readonly method: string
  readonly pod?: string
  readonly container?: string
  readonly request: Readonly<Record<string, unknown>>
}
