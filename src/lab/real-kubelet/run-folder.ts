// The folder of one run of a real kubelet. In it the kubelet sees what drivers mount and they see what it mounts, whatever the machine's mounts are, private ones too.
import {mkdtemp, realpath, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {execa} from 'execa'
import {UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {shellWord} from '../../findings/shell-word.ts'
import {mountPoints} from '../disk/real-mounts.ts'

export interface RunFolder extends AsyncDisposable {
  /** Absolute, with no link in it. */
  readonly folder: string
}

/** Its disposal @throws UserError (exit 4) when something is still mounted in it: nothing is removed through a mount */
export async function runFolder(temporary: string): Promise<RunFolder> {
  const folder = await realpath(await mkdtemp(join(temporary, 'kl-kubelet-')))
  await execa('mount', ['--bind', folder, folder])
  await execa('mount', ['--make-shared', folder])
  return {
    folder,
    [Symbol.asyncDispose]: async () => {
      await execa('umount', ['--recursive', folder], {reject: false})
      const left = [...(await mountPoints())].filter((path) => path === folder || path.startsWith(`${folder}/`))
      if (left.length > 0)
        throw new UserError(`Cannot remove ${folder} as nothing must be mounted in it: ${left[0]} is`, {
          hint: `umount --recursive ${shellWord(folder)} && rm -r ${shellWord(folder)}`,
          exit: exitCodes.dirty,
        })
      await rm(folder, {recursive: true, force: true, maxRetries: 3})
    },
  }
}
