// Who else could put something in the place of a socket: whoever may write in its directory, or swap a directory above it.
import {lstat} from 'node:fs/promises'
import {dirname} from 'node:path'

const everybody = 0o002
const group = 0o020
const sticky = 0o1000

/**
 * Between our look at a socket and our rename there is a moment, and restore comes later still.
 * @param directory without links
 * @returns what is wrong and with which directory, or undefined
 * @throws the system's error
 */
export async function foreignHands(directory: string, uid: number): Promise<string | undefined> {
  const {mode, uid: owner, gid} = await lstat(directory)
  if (isStranger(owner, uid)) return `its directory must be root's or yours: ${directory} is one of user ${owner}`
  if ((mode & everybody) !== 0)
    return `nobody else must be able to write in its directory: everybody can in ${directory} (${modeText(mode)})`
  if ((mode & group) !== 0 && gid !== 0)
    return `nobody else must be able to write in its directory: group ${gid} can in ${directory} (${modeText(mode)})`
  for (let above = dirname(directory); ; above = dirname(above)) {
    const wrong = await whyUnsafe(above, uid)
    if (wrong !== undefined) return wrong
    if (above === '/') return undefined
  }
}

/** In a sticky one, such as /tmp, nobody can rename what is somebody else's. */
async function whyUnsafe(above: string, uid: number): Promise<string | undefined> {
  const {mode, uid: owner} = await lstat(above)
  if (isStranger(owner, uid)) return `each directory above it must be root's or yours: ${above} is one of user ${owner}`
  if ((mode & everybody) !== 0 && (mode & sticky) === 0)
    return `nobody else must be able to swap a directory above it: everybody can write in ${above} (${modeText(mode)})`
  return undefined
}

export const isStranger = (owner: number, uid: number): boolean => owner !== uid && owner !== 0

const modeText = (mode: number): string => `mode 0${(mode & 0o7777).toString(8)}`
