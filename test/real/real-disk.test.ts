// realDisk() on the kernel's own mounts, by root only.
import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {execa} from 'execa'
import {DiskError} from '../../src/kubelet/disk.ts'
import {pathMap} from '../../src/lab/disk/path-map.ts'
import {realDisk} from '../../src/lab/disk/real-disk.ts'
import {diskContract, type MountableDisk} from '../support/disk-contract.ts'

/** On a file system of its own, whose mounts nobody else sees, and which takes them along when it goes. */
async function onTmpfs(): Promise<MountableDisk> {
  const folder = mkdtempSync(join(tmpdir(), 'kl-'))
  await execa('mount', ['-t', 'tmpfs', '-o', 'size=4M', 'none', folder])
  await execa('mount', ['--make-private', folder])
  const root = join(folder, 'kubelet')
  const disk = realDisk({root})
  const {toReal} = pathMap(root)
  const mount = async (path: string, ...args: string[]) => {
    await disk.isMountPoint(path)
    const {failed} = await execa('mount', [...args, toReal(path)], {reject: false})
    if (failed) throw new DiskError('ENOTDIR', path)
  }
  return {
    disk,
    mountFilesystem: (path) => mount(path, '-t', 'tmpfs', '-o', 'size=1M', 'none'),
    mountDevice: (path) => mount(path, '--bind', '/dev/null'),
    [Symbol.asyncDispose]: async () => {
      await execa('umount', ['--lazy', folder])
      rmSync(folder, {recursive: true})
    },
  }
}

diskContract('realDisk()', onTmpfs, 100)
