// Loop devices by the files behind them.
import {readdir, readFile} from 'node:fs/promises'
import {execa} from 'execa'

export interface LoopDevice {
  readonly device: string
  readonly backingFile: string
}

export async function loopsBelow(folder: string): Promise<LoopDevice[]> {
  const names = (await readdir('/sys/block')).filter((name) => name.startsWith('loop'))
  const found = await Promise.all(
    names.map(async (name) => {
      const backing = await readFile(`/sys/block/${name}/loop/backing_file`, 'utf8').catch(() => '')
      return {device: `/dev/${name}`, backingFile: backing.trim()}
    }),
  )
  return found.filter(({backingFile}) => backingFile.startsWith(`${folder}/`))
}

/** Those of an outer folder's devices first that stand on another's: the youngest first. */
export async function detachLoopsBelow(folder: string): Promise<void> {
  for (const {device} of (await loopsBelow(folder)).toReversed()) await execa('losetup', ['--detach', device], {reject: false})
}
