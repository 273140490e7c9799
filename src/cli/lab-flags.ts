// Flags of the commands of the lab.
import {tmpdir} from 'node:os'
import {resolve} from 'node:path'
import {string} from '@oclif/core/flags'
import {UserError} from '../base/errors.ts'
import {usualLabFolder} from '../lab/up/lab-folder.ts'
import {myUid} from './account.ts'

export const labFlags = {
  dir: string({
    helpValue: 'DIR',
    description: 'where the lab keeps its sockets and files (else kubelimbo-lab below $XDG_RUNTIME_DIR or the temporary directory)',
  }),
}

/** Absolute: the process that serves it works elsewhere. @throws UserError */
export function labFolder({dir}: {readonly dir?: string | undefined}): string {
  if (dir === '') throw new UserError('Cannot use --dir as it must name a directory: it is empty')
  return dir === undefined ? usualLabFolder(process.env, myUid(), tmpdir()) : resolve(dir)
}
