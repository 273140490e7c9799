// The kubelet's disk on this machine, by root alone: mounts are the kernel's.
import {lstat, mkdir, readdir, readFile, rm, rmdir, symlink, unlink, writeFile} from 'node:fs/promises'
import {execa} from 'execa'
import {type Disk, DiskError, type EntryKind} from '../../src/kubelet/disk.ts'
import {pathMap} from '../../src/lab/path-map.ts'
import {fileDevices} from '../../src/lab/remote/file-devices.ts'

export function mountingDisk(root: string): Disk {
  const {toReal, toModel} = pathMap(root)
  const at = async <T>(path: string, step: (real: string) => Promise<T>): Promise<T> => {
    try {
      return await step(toReal(path))
    } catch (error) {
      const {code} = error as NodeJS.ErrnoException
      if (typeof code === 'string' && code.startsWith('E')) throw new DiskError(code as DiskError['code'], path)
      throw error
    }
  }
  return {
    stat: (path) =>
      at(path, async (real) => {
        const found = await lstat(real).catch((error) =>
          error.code === 'ENOENT' || error.code === 'ENOTDIR' ? undefined : Promise.reject(error),
        )
        return found === undefined ? undefined : kindOf(found)
      }),
    readDir: (path) => at(path, async (real) => (await readdir(real)).sort()),
    mkdirAll: (path) => at(path, async (real) => void (await mkdir(real, {recursive: true, mode: 0o750}))),
    writeFile: (path, text) => at(path, (real) => writeFile(real, text)),
    readFile: (path) => at(path, (real) => readFile(real, 'utf8')),
    symlink: (target, path) => at(path, (real) => symlink(toReal(target), real)),
    rmdir: (path) => at(path, (real) => rmdir(real)),
    unlink: (path) => at(path, (real) => unlink(real)),
    removeAll: (path) =>
      at(path, async (real) => {
        if ((await mounts()).some((mount) => mount.at === real || mount.at.startsWith(`${real}/`))) throw new DiskError('EBUSY', path)
        await rm(real, {recursive: true, force: true})
      }),
    isMountPoint: (path) => at(path, async (real) => (await mounts()).some((mount) => mount.at === real)),
    mountRefs: (path) =>
      at(path, async (real) => {
        const all = await mounts()
        const own = all.findLast((mount) => mount.at === real || real.startsWith(`${mount.at}/`) || mount.at === '/')
        if (own === undefined) return []
        const root = `${own.root}/${real.slice(own.at.length)}`.replace(/\/+/g, '/').replace(/(.)\/$/, '$1')
        return all
          .filter((mount) => mount.id !== own.id && mount.root === root && mount.device === own.device)
          .map((mount) => toModel(mount.at))
      }),
    bindMount: (source, path) => at(path, async (real) => void (await execa('mount', ['--bind', toReal(source), real]))),
    unmount: (path) => at(path, async (real) => void (await execa('umount', [real]))),
    ...fileDevices(toReal),
  }
}

function kindOf(found: Awaited<ReturnType<typeof lstat>>): EntryKind {
  if (found.isDirectory()) return 'directory'
  if (found.isSymbolicLink()) return 'symlink'
  return found.isBlockDevice() || found.isCharacterDevice() ? 'device' : 'file'
}

async function mounts(): Promise<{readonly id: string; readonly device: string; readonly root: string; readonly at: string}[]> {
  const unescaped = (text = '') => text.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))
  const lines = (await readFile('/proc/self/mountinfo', 'utf8')).trimEnd().split('\n')
  return lines.map((line) => {
    const [id = '', , device = '', root, mountPoint] = line.split(' ')
    return {id, device, root: unescaped(root), at: unescaped(mountPoint)}
  })
}
