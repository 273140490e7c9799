// A bundle as a folder. Whoever packed it chose what lies in it: nothing is opened but regular files below its top.
import {constants, type Stats} from 'node:fs'
import {type FileHandle, lstat, open} from 'node:fs/promises'
import {join} from 'node:path'
import {readAtMost} from '../read-at-most.ts'
import type {BundleFiles} from './bundle-files.ts'
import {inMiB, limits} from './limits.ts'
import {shownName} from './plain-name.ts'
import {systemReason} from './system-reason.ts'

export function folderFiles(top: string): BundleFiles {
  let left: number = limits.total
  return {
    async read(name) {
      const path = await safePath(top, name)
      if (path === undefined) return undefined
      // O_NONBLOCK: opening a FIFO that somebody put there meanwhile would wait for its writer. fstat then tells what was opened.
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
      const file = await open(path, flags).catch((error: unknown) => Promise.reject(unreadable(name, error)))
      try {
        refuseAllBut('isFile', await file.stat(), name)
        const bytes = await readWhole(file, Math.min(limits.file, left), name)
        left -= bytes.length
        return bytes
      } finally {
        await file.close()
      }
    },
  }
}

/** Looks at each part of the way before anything is opened: a link in the middle leads out as well as one at the end. */
async function safePath(top: string, name: string): Promise<string | undefined> {
  const parts = name.split('/')
  let path = top
  for (const [index, part] of parts.entries()) {
    path = join(path, part)
    const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
      throw unreadable(name, error)
    })
    if (stats === undefined) return undefined
    refuseAllBut(index === parts.length - 1 ? 'isFile' : 'isDirectory', stats, parts.slice(0, index + 1).join('/'))
  }
  return path
}

function unreadable(name: string, error: unknown): Error {
  return new Error(`Cannot read ${shownName(name)} of the bundle: ${systemReason(error)}`, {cause: error})
}

function refuseAllBut(wanted: 'isFile' | 'isDirectory', stats: Stats, name: string): void {
  if (stats[wanted]()) return
  const must = wanted === 'isFile' ? 'a regular file' : 'a folder'
  throw new Error(`Cannot read ${shownName(name)} of the bundle as it must be ${must}: it is ${kindOf(stats)}`)
}

export function kindOf(stats: Stats): string {
  if (stats.isSymbolicLink()) return 'a symbolic link'
  if (stats.isDirectory()) return 'a folder'
  if (stats.isFIFO()) return 'a FIFO'
  if (stats.isSocket()) return 'a socket'
  return stats.isFile() ? 'a regular file' : 'a device'
}

async function readWhole(file: FileHandle, most: number, name: string): Promise<Uint8Array> {
  const bytes = await readAtMost(file, most)
  if (bytes !== undefined) return bytes
  throw new Error(
    `Cannot read ${shownName(name)} of the bundle as it must have at most ${inMiB(limits.file)}, all files ${inMiB(limits.total)}: it is larger`,
  )
}
