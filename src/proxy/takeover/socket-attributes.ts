// Gives a socket of ours what the original has: owner, mode, label, list. Whoever could reach the one can reach the other, and nobody else.
import {chmod, lchown, lstat} from 'node:fs/promises'
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {copyAttributes, labelOf, markOf, readAttributes, setLabel} from './extended-attributes.ts'
import {refuse} from './refuse.ts'
import {type RunBriefly, runBriefly} from './run-briefly.ts'

/** Dresses a socket that was just bound. @throws UserError */
export type Dress = (path: string) => Promise<void>

/** The original is looked at once, before anything is changed: later it has another name. @throws UserError */
export async function readDress(socket: string, run: RunBriefly = runBriefly): Promise<Dress> {
  const {uid, gid, mode} = await lstat(socket).catch((error: unknown) => {
    throw notDressed(socket, error)
  })
  const putOn = await extendedOf(socket, run)
  return async (path) => {
    try {
      const own = await lstat(path)
      if (own.uid !== uid || own.gid !== gid) await lchown(path, uid, gid)
      // A new owner takes bits away, and what comes next may change the group's.
      await chmod(path, mode & 0o7777)
      await putOn(path)
    } catch (error) {
      throw notDressed(socket, error)
    }
  }
}

async function extendedOf(socket: string, run: RunBriefly): Promise<(path: string) => Promise<void>> {
  try {
    const attributes = await readAttributes(socket, run)
    if (attributes !== undefined) return (path) => copyAttributes(attributes, path, run)
    const mark = await markOf(socket, run)
    if (mark === 'more') throw cannotCopy(socket, 'it has an access control list or more, and getfattr is not there')
    const label = mark === 'label' ? await labelOf(socket, run) : undefined
    if (mark === 'label' && label === undefined) throw cannotCopy(socket, 'it has a label that cannot be read, and getfattr is not there')
    return async (path) => {
      if (label !== undefined) await setLabel(label, path, run)
    }
  } catch (error) {
    throw error instanceof UserError ? error : cannotCopy(socket, firstLine(error))
  }
}

const cannotCopy = (socket: string, why: string): UserError =>
  refuse(
    socket,
    `all that it has must be copied, such as its label: ${why}`,
    'install the package attr (getfattr, setfattr); nothing was changed',
  )

function notDressed(socket: string, error: unknown): UserError {
  return new UserError(`Cannot take ${socket} over as ours must get its owner, mode and label: ${firstLine(error)}`, {
    hint: 'run it as root, with the package attr (getfattr, setfattr) installed; nothing was changed',
    exit: exitCodes.refused,
    cause: error,
  })
}
