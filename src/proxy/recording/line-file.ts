// The file that a recording goes to: a new one, its owner's alone, that ends with a whole line whatever happens.
import {type FileHandle, open, rm} from 'node:fs/promises'
import {dirname} from 'node:path'
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {makeDirectory} from '../../base/make-directory.ts'

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
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST'
    throw new UserError(`Cannot record into ${path} as it must be a new file: ${exists ? 'there is one' : firstLine(error)}`, {
      hint: 'name another one',
      exit: exists ? exitCodes.refused : exitCodes.usage,
      cause: error,
    })
  }
}

/** A disk that is nearly full takes a part first. */
async function writeAll(handle: FileHandle, bytes: Uint8Array, from: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const {bytesWritten} = await handle.write(bytes, written, bytes.length - written, from + written)
    written += bytesWritten
  }
}
