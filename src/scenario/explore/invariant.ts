// What must hold of every history, whatever happens in it.
import type {PodLife} from './pod-lives.ts'
import type {VolumeLife, VolumeRun} from './volume-lives.ts'

export interface Invariant {
  /** 'success-made-up' */
  readonly name: string
  /** In a sentence, what must hold. */
  readonly says: string
  readonly check: (life: PodLife, run: Run) => readonly Breach[]
}

export interface VolumeInvariant extends Pick<Invariant, 'name' | 'says'> {
  readonly check: (life: VolumeLife, run: Run) => readonly Breach[]
}

/** The run that pods and volumes lived in; its end is how far it went. */
export type Run = VolumeRun

export interface Breach {
  /** Tells apart how it was broken: 'while it runs'. */
  readonly how: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly container?: string
  /** What is told of how it ended before, not of how it is. */
  readonly ofLastState?: boolean
  /** Staging path or target of a volume. */
  readonly target?: string
  /** In words, without times. */
  readonly what: string
}

export interface Violation extends Breach {
  readonly invariant: string
  /** 'namespace/name', or absent: it is about a volume. */
  readonly pod?: string
  /** The driver's handle of it. */
  readonly volume?: string
}
