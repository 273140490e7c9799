// The machine that endpoints are looked for on. Tests hand in a folder that stands for its root.
import {readdirSync, readFileSync} from 'node:fs'
import {readdir, readlink, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {followLinks, type Reach} from '../follow-links.ts'
import {readRegular} from './read-regular.ts'

interface Process {
  readonly pid: number
  /** The kernel's name for it: the first 15 characters of the program's. */
  readonly name: string
}

export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly reach: Reach
  /** Of a regular file. @throws the system's error */
  readText(path: string): Promise<string>
  /** Paths of all files below a folder, in the order of their bytes. @throws the system's error */
  filesBelow(path: string): Promise<readonly string[]>
  /** @throws the system's error */
  readLink(path: string): Promise<string>
  /** @throws the system's error */
  look(path: string): Promise<{readonly isSocket: boolean; readonly inode: string}>
  processes(): readonly Process[]
  /** Where a path of the host is to be opened by us. */
  locate(path: string): string
  /** The machine whose root directory is mounted there. */
  at(root: string): Host
}

export function nodeHost(env: Host['env'], root = '/', reach: Reach = async () => undefined): Host {
  const locate = (path: string) => (path.startsWith('/') && root !== '/' ? join(root, path) : path)
  /** Links of another root lead nowhere but into it. On the way each file system is asked; the kernel's own are always there. */
  const reached = async (path: string): Promise<string> => {
    const isKernels = root === '/' && /^\/(?:proc|sys)\//.test(path)
    return isKernels || !path.startsWith('/') ? locate(path) : locate(await followLinks(path, locate, reach))
  }
  return {
    env,
    reach,
    locate,
    at: (other) => nodeHost(env, other, reach),
    readText: async (path) => await readRegular(await reached(path)),
    filesBelow: async (path) => {
      const entries = await readdir(await reached(path), {recursive: true, withFileTypes: true})
      return entries
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(path, entry.parentPath.slice(locate(path).length), entry.name))
        .sort()
    },
    readLink: async (path) => {
      if (!path.startsWith('/proc/')) await reach(locate(path))
      return await readlink(locate(path))
    },
    look: async (path) => {
      const found = await stat(await reached(path), {bigint: true})
      return {isSocket: found.isSocket(), inode: `${found.dev}:${found.ino}`}
    },
    processes: () => processesBelow(locate('/proc')),
  }
}

/**
 * By comm, not cmdline: reading the command line of a process that hangs in the kernel can hang its reader, too.
 * In one go, as thousands of asynchronous reads cost several times more.
 */
function processesBelow(proc: string): readonly Process[] {
  return namesIn(proc)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [{pid: Number(pid), name: readFileSync(join(proc, pid, 'comm'), 'utf8').trim()}]
      } catch {
        // It ended in the meantime.
        return []
      }
    })
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
