// The folder of a control socket: its owner's alone, without what others left behind, and gone again when we made it.
import {lstat, readdir, rm, rmdir} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {makeNamedDirectory} from '../../base/make-directory.ts'
import {whyNotPrivate} from '../../base/private-directory.ts'
import {absenceOf, dial} from '../listen/dial.ts'
import {pidOfSocket} from './control-socket.ts'

/**
 * Makes the folder of the control socket, or takes one that is the owner's alone. Disposing of it removes what it made and nobody uses.
 * @param isAlive whether there is a process of this id
 * @throws UserError, and nothing is left then
 */
export async function openControlFolder(path: string, uid: number, isAlive: (pid: number) => boolean): Promise<AsyncDisposable> {
  const folder = dirname(path)
  const made: string[] = []
  try {
    await makeNamedDirectory(folder, 0o700, '--control', made)
    await mustBePrivate(folder, uid)
    await removeDead(folder, isAlive)
  } catch (error) {
    await removeEmpty(made)
    throw error
  }
  return {[Symbol.asyncDispose]: () => removeEmpty(made)}
}

async function mustBePrivate(folder: string, uid: number): Promise<void> {
  const why = await whyNotPrivate(folder, uid)
  if (why === undefined) return
  throw new UserError(`Cannot have the control socket in ${folder} as it must be a directory of yours with mode 0700: ${why}`, {
    hint: 'name a socket in another directory with --control',
    exit: exitCodes.refused,
  })
}

/** What injectors left that were killed. Those of another PID namespace answer, though there is no such process here. */
async function removeDead(folder: string, isAlive: (pid: number) => boolean): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw new UserError(`Cannot have the control socket in ${folder} as it must be readable: ${firstLine(error)}`, {
      exit: exitCodes.refused,
    })
  })
  for (const name of names) {
    const pid = pidOfSocket(name)
    const path = join(folder, name)
    if (pid !== undefined && !isAlive(pid) && (await isDeadSocket(path))) await rm(path, {force: true}).catch(() => undefined)
  }
}

async function isDeadSocket(path: string): Promise<boolean> {
  const stat = await lstat(path).catch(() => undefined)
  if (stat === undefined || !stat.isSocket()) return false
  try {
    const socket = await dial({kind: 'unix', path})
    socket.destroy()
    return false
  } catch (error) {
    return absenceOf(error) === 'refuse'
  }
}

/** Somebody else may use it by now: that one is not empty. */
async function removeEmpty(made: readonly string[]): Promise<void> {
  for (const folder of made.toReversed()) await rmdir(folder).catch(() => undefined)
}
