// The directory of a socket that is taken over, by names in it. What a test hands in instead is a directory in memory with a server that restarts in between.
import type {Server} from 'node:net'
import type {FileId} from '../../node/takeover/journal.ts'

export interface SideFolder {
  /** Whether `exchange` happens at once; otherwise it is a link and two renames, with a moment in which a foreign socket could be lost. */
  readonly atomic: boolean
  /** Undefined when there is nothing. Links are not followed. */
  look(name: string): Promise<FileId | undefined>
  /** @throws ENOENT, EEXIST */
  link(from: string, to: string): Promise<void>
  /** What was at `to` is gone. @throws ENOENT */
  rename(from: string, to: string): Promise<void>
  /**
   * Swaps what two names stand for, the second being the public one; both must be there.
   * @param only what the second must be, as far as it can be looked at in the same moment: a server that has restarted is not even displaced then
   * @throws ENOENT, ECANCELED when it is something else
   */
  exchange(one: string, other: string, only?: FileId): Promise<void>
  /** Nothing there is no error. */
  remove(name: string): Promise<void>
  /** Whether somebody listens there: connect(2), and nothing is said. */
  lives(name: string): Promise<boolean>
  /** It listens when this resolves. libuv removes this name when the server closes. */
  bind(name: string, server: Server): Promise<void>
  /** For connect(2), as long as the folder is open. */
  addressOf(name: string): string
  /** One at a time, of all processes. @throws UserError */
  lock(): Promise<AsyncDisposable>
  /** Time enough for a server that has bound to listen. */
  pause(): Promise<void>
}
