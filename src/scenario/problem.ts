// What is wrong with a scenario's file, and where.
import type {Path} from './path-words.ts'

export interface Problem {
  /** The middle of a sentence: "'steps[0].create' must be …: it is …". */
  readonly what: string
  readonly path: Path
  /** It is the key that is wrong, not its value. */
  readonly ofKey: boolean
}
