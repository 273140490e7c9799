// The folder of a lab that is up: for its owner alone, and its paths short enough for sockets.
import {lstat} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {UserError} from '../../base/errors.ts'
import {makeNamedDirectory} from '../../base/make-directory.ts'

/** @param env XDG_RUNTIME_DIR, where there is one, is the user's own and goes with the session */
export function usualLabFolder(env: Readonly<Record<string, string | undefined>>, uid: number, temporary: string): string {
  const {XDG_RUNTIME_DIR: own} = env
  return own === undefined || own === '' ? join(temporary, `kubelimbo-lab-${uid}`) : join(own, 'kubelimbo-lab')
}

/** What the longest of its sockets is called below it: plugins_registry/<driver>-reg.sock with a name of 40 letters. */
const room = 68
const longest = 107

/** @throws UserError when it cannot be the folder of a lab */
export async function makeLabFolder(folder: string, uid: number): Promise<string> {
  const path = resolve(folder)
  const most = longest - room
  if (Buffer.byteLength(path) > most)
    throw new UserError(
      `Cannot have the lab in ${path} as the path must be at most ${most} bytes long for its sockets: it is ${Buffer.byteLength(path)}`,
      {
        hint: 'choose a shorter one with --dir',
      },
    )
  await makeNamedDirectory(path, 0o700, '--dir')
  const stat = await lstat(path)
  if (!stat.isDirectory() || stat.uid !== uid)
    throw new UserError(
      `Cannot have the lab in ${path} as it must be a directory of yours: it is ${stat.isSymbolicLink() ? 'a link' : stat.isDirectory() ? `one of user ${stat.uid}` : 'none'}`,
      {
        hint: 'choose another one with --dir',
      },
    )
  if ((stat.mode & 0o077) !== 0)
    throw new UserError(`Cannot have the lab in ${path} as its mode must be 0700: it is 0${(stat.mode & 0o777).toString(8)}`, {
      hint: `chmod 0700 ${path}, or choose another one with --dir`,
    })
  return path
}
