// Puts a socket of ours in the place of a server's: bound under a name beside it, then swapped with it.
import type {Server} from 'node:net'
import type {Journal} from '../../node/takeover/journal.ts'
import type {Place} from '../listen/place.ts'
import type {GivenBack} from './give-back.ts'
import type {SideFolder} from './side-folder.ts'
import {TakenSocket} from './taken-socket.ts'

export interface TakePlaceOptions {
  /** As written already, with no `ours` yet. */
  readonly journal: Journal
  /** Absolute. */
  readonly directory: string
  /** Of this journal; it must stay open as long as the place. */
  readonly folder: SideFolder
  /** A listener that is not bound yet; each is bound once. */
  readonly serverFor: () => Server
  /** Gives a socket that was just bound the owner, mode and attributes of the original. */
  readonly dress: (path: string) => Promise<void>
  /** Writes the journal anew, fsynced when it resolves. */
  readonly write: (journal: Journal) => Promise<void>
}

/** `close('refuse')` leaves our file with nobody behind it, `close('no-socket')` takes it away; `open()` puts a socket there again. They throw UserError when somebody else has the place. */
export interface TakenPlace extends Place {
  /** How the original is reached, for connect(2); short enough. */
  readonly upstream: string
  readonly journal: Journal
  /** Whether what is at the path is ours, or away because a fault took it away. */
  isOurs(): Promise<boolean>
  /** The listener stays open, so that who connected before is still accepted: the next `close()` ends it, and touches no file. */
  giveBack(): Promise<GivenBack>
}

/** Our socket is at the path when this resolves. @throws UserError when the server restarted meanwhile: nothing is left then */
export async function takePlace(options: TakePlaceOptions): Promise<TakenPlace> {
  const place = new TakenSocket(options)
  await place.take()
  return place
}
