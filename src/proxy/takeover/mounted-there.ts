// Whether something is mounted at a path: a rename over a mount point fails, or changes what nobody sees.
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {parseMountinfo} from '../../node/mountinfo.ts'

/** In our own view, which is the one in which we rename. @param path without links @throws the system's error */
export async function mountedThere(path: string, proc = '/proc'): Promise<boolean> {
  const mounts = parseMountinfo(await readFile(join(proc, 'self/mountinfo'), 'utf8'))
  return mounts.some(({mountPoint}) => mountPoint === path)
}
