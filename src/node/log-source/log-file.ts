// The end of a log file. A log folder may be mounted in a pod, so a link or a pipe in the place of a log is not opened, or not read.
import {constants, type FileHandle, open} from 'node:fs/promises'
import {systemReason} from '../bundle/system-reason.ts'

export interface LogText {
  readonly text: string
  /** The file is longer: the first line may be torn, so it is left out. */
  readonly cut: boolean
}

interface TailOptions {
  readonly keep: number
  /** The user named it: then a link is the user's. */
  readonly named: boolean
}

/** Undefined when there is no such file. @throws Error, one sentence. */
export async function tailOfFile(path: string, {keep, named}: TailOptions): Promise<LogText | undefined> {
  let file: FileHandle
  try {
    // O_NONBLOCK: a pipe without a writer would hold us for good.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | (named ? 0 : constants.O_NOFOLLOW))
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new Error(`${path} cannot be read: ${systemReason(error)}`)
  }
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Error(`${path} cannot be read as it must be a regular file: it is none`)
    const start = Math.max(0, stat.size - keep)
    const buffer = Buffer.alloc(stat.size - start)
    let length = 0
    while (length < buffer.length) {
      const {bytesRead} = await file.read(buffer, length, buffer.length - length, start + length)
      // It was cut off in the meantime.
      if (bytesRead === 0) break
      length += bytesRead
    }
    const text = buffer.subarray(0, length).toString('utf8')
    return {text: start > 0 ? text.slice(text.indexOf('\n') + 1) : text, cut: start > 0}
  } finally {
    await file.close()
  }
}
