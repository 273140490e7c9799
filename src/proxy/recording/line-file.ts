// The file that a recording goes to: a new one, its owner's alone, that ends with a whole line whatever happens.
import {type FileHandle, lstat, open, rm} from 'node:fs/promises'
import {dirname} from 'node:path'
import {UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {makeDirectory} from '../../base/make-directory.ts'
import {isFullDisk, unwrittenHint, unwrittenReason} from '../../base/unwritten.ts'

export interface LineFile {
  /** Whole lines. @throws the system's error, and the file ends with the line before */
  append(lines: string): Promise<void>
  /** All is on the disk when it resolves. */
  close(): Promise<void>
  /** As if it had never been. */
  discard(): Promise<void>
}

/** @throws UserError when there is one of this name, or none can be made */
export async function openLineFile(path: string): Promise<LineFile> {
  const handle = await make(path)
  let end = 0
  return {
    append: async (lines) => {
      const bytes = Buffer.from(lines)
      try {
        await writeAll(handle, bytes, end)
      } catch (error) {
        await handle.truncate(end).catch(() => undefined)
        throw error
      }
      end += bytes.length
    },
    close: async () => {
      try {
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
    discard: async () => {
      await handle.close()
      await rm(path, {force: true})
    },
  }
}

async function make(path: string): Promise<FileHandle> {
  try {
    await makeDirectory(dirname(path), 0o700)
    return await open(path, 'wx', 0o600)
  } catch (error) {
    const there = await lstat(path).catch(() => undefined)
    const why = there === undefined ? reasonOf(error) : there.isDirectory() ? 'it is a folder' : 'there is one'
    throw new UserError(`Cannot record into ${path} as it must be a new file: ${why}`, {
      hint: there?.isDirectory()
        ? 'name a file in it'
        : there !== undefined
          ? 'name another one'
          : (error as NodeJS.ErrnoException).code === 'ENOENT'
            ? 'name another place'
            : unwrittenHint(error),
      exit: there !== undefined ? exitCodes.refused : isFullDisk(error) ? exitCodes.blind : exitCodes.usage,
      cause: error,
    })
  }
}

/** Its folder was made, or was there: a file system such as /proc takes none. */
function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'no file can be made there' : unwrittenReason(error)
}

/** A disk that is nearly full takes a part first. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, from: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const {bytesWritten} = await handle.write(bytes, written, bytes.length - written, from + written)
    written += bytesWritten
  }
}
