// Where the control socket of a proxy is, and how it is found again: only its owner gets there.
import {lstat, readdir} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {makeNamedDirectory} from '../../base/make-directory.ts'

export interface Owner {
  readonly uid: number
  readonly env: Readonly<Record<string, string | undefined>>
  /** The directory for temporary files. */
  readonly temporary: string
}

/** Root's is the machine's; others have one that goes with their session, where there is one. */
export function controlFolder({uid, env, temporary}: Owner): string {
  if (uid === 0) return '/run/kubelimbo'
  const {XDG_RUNTIME_DIR: own} = env
  return own === undefined || own === '' ? join(temporary, `kubelimbo-${uid}`) : join(own, 'kubelimbo')
}

export const controlPath = (owner: Owner, pid: number): string => join(controlFolder(owner), `inject-${pid}.sock`)

/** Sockets of proxies that are there, or were. */
export async function controlSockets(owner: Owner): Promise<readonly string[]> {
  const folder = controlFolder(owner)
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new UserError(`Cannot look for a running injector as ${folder} must be readable: ${firstLine(error)}`, {
      hint: 'name its control socket with --control',
      exit: exitCodes.blind,
    })
  })
  return names
    .filter((name) => /^inject-\d+\.sock$/.test(name))
    .sort()
    .map((name) => join(folder, name))
}

/** Makes the folder of the control socket, or takes one that is the owner's alone. @throws UserError */
export async function makeControlFolder(path: string, uid: number): Promise<void> {
  const folder = dirname(path)
  await makeNamedDirectory(folder, 0o700, '--control')
  const stat = await lstat(folder)
  const mode = stat.mode & 0o777
  const why = !stat.isDirectory()
    ? 'it is none'
    : stat.uid !== uid
      ? `it is one of user ${stat.uid}`
      : (mode & 0o077) !== 0
        ? `its mode is 0${mode.toString(8)}`
        : undefined
  if (why === undefined) return
  throw new UserError(`Cannot have the control socket in ${folder} as it must be a directory of yours with mode 0700: ${why}`, {
    hint: 'name a socket in another directory with --control',
    exit: exitCodes.refused,
  })
}
