// A directory that is its owner's alone: sockets and journals lie in none else.
import {lstat} from 'node:fs/promises'

/** Why it is none, or undefined when it is. @throws the system's error */
export async function whyNotPrivate(folder: string, uid: number): Promise<string | undefined> {
  const stat = await lstat(folder)
  if (!stat.isDirectory()) return 'it is none'
  if (stat.uid !== uid) return `it is one of user ${stat.uid}`
  const mode = stat.mode & 0o777
  return (mode & 0o077) === 0 ? undefined : `its mode is 0${mode.toString(8)}`
}
