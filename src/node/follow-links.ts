// Paths of the host when its root is mounted somewhere else: an absolute link in it must not lead out into ours.
import {readlink} from 'node:fs/promises'

/**
 * Ends once the file system below a path of ours is known to answer: who opens a file on one that hangs hangs with it, past every deadline.
 * @throws an error with a code when it does not
 */
export type Reach = (path: string) => Promise<void>

/** As Linux has it (path_resolution(7)). */
const mostLinks = 40

/**
 * The path without links, on the host. What is not there is left for whoever opens it to tell.
 * @param locate where a path of the host is to be opened by us.
 * @param reach asked before each step.
 * @throws the system's error, and that of `reach`
 */
export async function followLinks(path: string, locate: (path: string) => string, reach: Reach): Promise<string> {
  let done = ''
  let links = 0
  const todo = partsOf(path)
  for (let name = todo.shift(); name !== undefined; name = todo.shift()) {
    if (name === '..') {
      done = done.slice(0, Math.max(0, done.lastIndexOf('/')))
      continue
    }
    const place = locate(`${done}/${name}`)
    await reach(place)
    const target = await linkTarget(place)
    if (target === undefined) {
      done = `${done}/${name}`
      continue
    }
    if (++links > mostLinks) throw Object.assign(new Error(`too many links in ${path}`), {code: 'ELOOP'})
    todo.unshift(...partsOf(target))
    if (target.startsWith('/')) done = ''
  }
  return done === '' ? '/' : done
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.')
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path)
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    // EINVAL: it is no link.
    if (code === 'EINVAL' || code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
