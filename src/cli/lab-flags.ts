// Flags of the commands of the lab.
import {tmpdir, userInfo} from 'node:os'
import {string} from '@oclif/core/flags'
import {usualLabFolder} from '../lab/up/lab-folder.ts'

export const labFlags = {
  dir: string({
    helpValue: 'DIR',
    description: 'where the lab keeps its sockets and files (else kubelimbo-lab below $XDG_RUNTIME_DIR or the temporary directory)',
  }),
}

export const myUid = (): number => userInfo().uid

export const labFolder = ({dir}: {readonly dir?: string | undefined}): string => dir ?? usualLabFolder(process.env, myUid(), tmpdir())
