// Gives a socket back: all that it needs is the journal. The proxy does it at its end, its watchdog when the proxy is gone, and `restore` when both are.
import type {Journal} from '../../node/takeover/journal.ts'
import {settle} from './settle.ts'
import type {SideFolder} from './side-folder.ts'

export type GivenBack =
  /** The original is at the path again, by us or by whoever was first. */
  | {readonly outcome: 'given back' | 'was back'}
  /** Another socket is there, which is left alone: the server has restarted. */
  | {readonly outcome: 'left alone'; readonly alive: boolean}
  /** Nobody listens on the original any more. At the path is nothing, or our socket: with nobody behind it, it is to clients and to a server that starts what the original would be. */
  | {readonly outcome: 'server gone'}

/**
 * Idempotent, and safe beside others who do the same (one at a time, by a lock that ends with its holder) and beside a server that restarts at any moment: what is displaced is
 * looked at and put back where it is foreign. When it resolves no name of ours is left in the directory; the journal is the caller's to remove.
 * @param reread the journal as it is once the lock is held, for whoever is not the proxy: that may still write what is its own; undefined when it is gone by then
 * @throws UserError (exit 4) when the original has no name any more or somebody else holds the lock for too long, the system's error when the directory cannot be changed: then the journal must stay
 */
export async function giveBack(journal: Journal, folder: SideFolder, reread?: () => Promise<Journal | undefined>): Promise<GivenBack> {
  await using _ = await folder.lock()
  // The lock ends with what is awaited.
  return await settle((await reread?.()) ?? journal, folder)
}
