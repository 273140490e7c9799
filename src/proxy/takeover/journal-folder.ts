// The folder of the journals: its owner's alone. Who else could write there could have restore remove what they like.
import {lstat} from 'node:fs/promises'
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {makeDirectory} from '../../base/make-directory.ts'
import {whyNotPrivate} from '../../base/private-directory.ts'
import {journalFolder} from '../../node/takeover/journal.ts'
import {controlFolder, type Owner} from '../control/control-socket.ts'
import {journalProblem} from './journal-problem.ts'

/** Root's is where whoever looks at the node looks; others have one that goes with their session. */
export const journalsOf = (owner: Owner): string => (owner.uid === 0 ? journalFolder : `${controlFolder(owner)}/takeover`)

/** Made where it is not there. @param socket what is to be taken over @throws UserError */
export async function openJournalFolder(folder: string, uid: number, socket: string): Promise<void> {
  let why: string | undefined
  try {
    await makeDirectory(folder, 0o700)
    why = await whyNotPrivate(folder, uid)
  } catch (error) {
    throw journalProblem(socket, folder, error)
  }
  if (why === undefined) return
  throw new UserError(`Cannot take ${socket} over as its journal must lie in a directory of yours with mode 0700: ${folder}: ${why}`, {
    hint: 'nothing was changed',
    exit: exitCodes.refused,
  })
}

/** @returns whether it is there @throws UserError when it is somebody else's, or may not be looked at */
export async function mayReadJournals(folder: string, uid: number): Promise<boolean> {
  try {
    if ((await lstat(folder).catch(unlessMissing)) === undefined) return false
    const why = await whyNotPrivate(folder, uid)
    if (why === undefined) return true
    throw new UserError(`Cannot restore from ${folder} as it must be a directory of yours with mode 0700: ${why}`, {
      hint: 'nothing was changed: what others can write says nothing of what we took over',
      exit: exitCodes.refused,
    })
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`Cannot look for journals in ${folder} as it must be readable: ${firstLine(error)}`, {
      hint: 'run it as root',
      exit: exitCodes.blind,
    })
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
