// The bytes of a file that may be anything: a FIFO that nobody writes to, a device, a link in a circle, ten megabytes.
import {closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats} from 'node:fs'
import {codeOf, typeOf} from './look.ts'

/** `denied`: that we may not read it says nothing of whether others can. */
export type ReadBytes = {readonly bytes: Uint8Array} | {readonly unreadable: string; readonly denied?: true}

const nouns = {
  directory: 'a directory',
  link: 'a link, which is not followed',
  socket: 'a socket',
  block: 'a device',
  character: 'a device',
  fifo: 'a FIFO',
  other: 'no regular file',
} as const

/** Never follows a link, never waits for a writer, never reads more than `limit` and one byte. */
export function readRegularFile(path: string, limit: number): ReadBytes {
  try {
    // To open a device may do something to it, so that is seen to before; what was opened is seen to again.
    return wrong(lstatSync(path), limit) ?? readOpened(path, limit)
  } catch (error) {
    return reasonOf(codeOf(error))
  }
}

function readOpened(path: string, limit: number): ReadBytes {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY)
  try {
    const unfit = wrong(fstatSync(file), limit)
    if (unfit !== undefined) return unfit
    const bytes = Buffer.alloc(limit + 1)
    let length = 0
    for (let got = -1; got !== 0 && length <= limit; length += got) got = readSync(file, bytes, length, bytes.length - length, null)
    return length > limit ? tooLong(`more than ${limit}`, limit) : {bytes: bytes.subarray(0, length)}
  } finally {
    closeSync(file)
  }
}

function wrong(stats: Stats, limit: number): ReadBytes | undefined {
  const type = typeOf(stats)
  if (type !== 'file') return {unreadable: `it is ${nouns[type]}`}
  return stats.size > limit ? tooLong(String(stats.size), limit) : undefined
}

function tooLong(size: string, limit: number): ReadBytes {
  return {unreadable: `it has ${size} bytes, and no more than ${limit} are looked at`}
}

function reasonOf(code: string): ReadBytes {
  if (code === 'EACCES' || code === 'EPERM') return {unreadable: 'permission denied', denied: true}
  return {unreadable: code === 'ELOOP' ? 'it is a link, which is not followed' : code}
}
