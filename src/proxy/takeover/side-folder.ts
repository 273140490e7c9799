// The directory of a socket that is taken over, by names in it. What a test hands in instead is a directory in memory with a server that restarts in between.
import type {FileId} from '../../node/takeover/journal.ts'

export interface SideFolder {
  /** Whether `exchange` happens at once; otherwise it is a link and two renames, with a moment in which a foreign socket could be lost. */
  readonly atomic: boolean
  /** Undefined when there is nothing. Links are not followed. */
  look(name: string): Promise<FileId | undefined>
  /** @throws ENOENT, EEXIST */
  link(from: string, to: string): Promise<void>
  /** Swaps what two names stand for; both must be there. @throws ENOENT */
  exchange(one: string, other: string): Promise<void>
  /** Nothing there is no error. */
  remove(name: string): Promise<void>
  /** Whether somebody listens there: connect(2), and nothing is said. */
  lives(name: string): Promise<boolean>
}
