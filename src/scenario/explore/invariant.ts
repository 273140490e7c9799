// What must hold of every history, whatever happens in it.
import type {Event} from '../../timeline/event.ts'
import type {PodLife} from './pod-lives.ts'

export interface Invariant {
  /** 'success-made-up' */
  readonly name: string
  /** In a sentence, what must hold. */
  readonly says: string
  readonly check: (life: PodLife, run: Run) => readonly Breach[]
}

/** The run that a pod lived in. */
export interface Run {
  readonly events: readonly Event[]
  /** Milliseconds since 1970: how far it went. */
  readonly end: number
}

export interface Breach {
  /** Tells apart how it was broken: 'while it runs'. */
  readonly how: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly container?: string
  /** What is told of how it ended before, not of how it is. */
  readonly ofLastState?: boolean
  /** In words, without times. */
  readonly what: string
}

export interface Violation extends Breach {
  readonly invariant: string
  readonly pod: string
}
