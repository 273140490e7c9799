// Why a journal cannot be written, in words.
import {firstLine, UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'

/** Without a journal nothing is taken over: what is not written down can be forgotten. */
export function journalProblem(socket: string, folder: string, error: unknown): UserError {
  const {code} = error as NodeJS.ErrnoException
  const why = words[code ?? '']?.(folder) ?? `${folder}: ${firstLine(error)}`
  return new UserError(`Cannot take ${socket} over as its journal must be written: ${why}`, {
    hint: 'nothing was changed',
    exit: exitCodes.refused,
    cause: error,
  })
}

const words: Readonly<Record<string, (folder: string) => string>> = {
  ENOSPC: (folder) => `there is no space left on ${folder}`,
  EDQUOT: (folder) => `there is no space left for this user on ${folder}`,
  EROFS: (folder) => `${folder} is on a file system that is read-only`,
  EACCES: (folder) => `this user may not write in ${folder}`,
  EPERM: (folder) => `this user may not write in ${folder}`,
  ENOENT: (folder) => `${folder} is not there any more`,
  EIO: (folder) => `the disk of ${folder} has errors`,
}
