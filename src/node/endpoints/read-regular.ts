// A whole text file that somebody named: it may be a pipe that nobody writes to, or a device without an end.
import {constants} from 'node:fs'
import {type FileHandle, open} from 'node:fs/promises'

/** makedev(1, 3): the name for 'no such file' in flags and variables. */
const devNull = 0x103

/** @throws the system's error, or one sentence for what is no regular file. */
export async function readRegular(path: string): Promise<string> {
  // O_NONBLOCK: a pipe without a writer would hold us for good.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return (await isNull(file)) ? '' : await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/** @throws Error, one sentence */
async function isNull(file: FileHandle): Promise<boolean> {
  const stats = await file.stat()
  if (stats.isFile()) return false
  if (stats.isDirectory()) throw Object.assign(new Error('it must be a regular file: it is a directory'), {code: 'EISDIR'})
  if (stats.isCharacterDevice() && stats.rdev === devNull) return true
  throw new Error(`it must be a regular file: it is ${stats.isFIFO() ? 'a pipe' : 'a device'}`)
}
