// The file system of this machine as a kubelet that is root uses it. What the model calls /var/lib/kubelet lies in a folder of its own.

import {mkdirSync, realpathSync, type Stats} from 'node:fs'
import {lstat, readdir, readFile, realpath, rmdir, stat, symlink, unlink, writeFile} from 'node:fs/promises'
import {basename, dirname, join, posix} from 'node:path'
import {makeDirectory} from '../../base/make-directory.ts'
import {type Disk, DiskError, type EntryKind} from '../../kubelet/disk.ts'
import {fileDevices} from './file-devices.ts'
import {pathMap} from './path-map.ts'
import {bindMount, mountPoints, mountRefs, unmount} from './real-mounts.ts'

export interface RealDiskOptions {
  /** What the model calls /var/lib/kubelet; made when it is not there. */
  readonly root: string
}

export function realDisk({root}: RealDiskOptions): Required<Disk> {
  mkdirSync(root, {recursive: true})
  // The kernel's table has resolved paths.
  const {toReal, toModel} = pathMap(realpathSync(root))
  const real = (path: string) => toReal(posix.join(path, '.').replace(/(.)\/$/, '$1'))
  const at = async <T>(path: string, work: (real: string) => Promise<T>): Promise<T> => {
    try {
      return await work(real(path))
    } catch (error) {
      throw error instanceof DiskError ? new DiskError(error.code, path, error.cause) : new DiskError(codeOf(error) ?? 'EIO', path, error)
    }
  }
  return {
    ...fileDevices(toReal),
    stat: (path) => at(path, async (each) => kindOf(await unlessMissing(lstat(each)))),
    readDir: (path) => at(path, async (each) => (await readdir(each)).sort()),
    mkdirAll: (path) => at(path, (each) => makeDirectory(each, 0o750)),
    writeFile: (path, text) =>
      at(path, async (each) => {
        const is = await unlessMissing(stat(each))
        // Nobody means to write on a device.
        if (is !== undefined && !is.isFile()) refuse('EISDIR', path)
        await writeFile(each, text)
      }),
    readFile: (path) =>
      at(path, async (each) => {
        if (!(await stat(each)).isFile()) refuse('EISDIR', path)
        return readFile(each, 'utf8')
      }),
    symlink: (target, path) => at(path, (each) => symlink(toReal(target), each)),
    rmdir: (path) => at(path, rmdir),
    unlink: (path) =>
      at(path, async (each) => {
        if ((await lstat(each)).isDirectory()) refuse('EISDIR', path)
        await unlink(each)
      }),
    removeAll: (path) =>
      at(path, async (each) => {
        const folder = await unlessMissing(realpath(dirname(each)))
        if (folder === undefined) return
        const failure = await removeAll(join(folder, basename(each)), await mountPoints())
        if (failure !== undefined) throw failure
      }),
    isMountPoint: (path) => at(path, async (each) => (await mountPoints()).has(await realpath(each))),
    mountRefs: (path) => at(path, async (each) => (await mountRefs(await realpath(each))).map(toModel)),
    bindMount: (source, path) =>
      at(path, async (each) => {
        const from = await stat(real(source))
        if (from.isDirectory() !== (await stat(each)).isDirectory()) refuse('ENOTDIR', path)
        await bindMount(real(source), each)
      }),
    unmount: (path) =>
      at(path, async (each) => {
        const resolved = await realpath(each)
        if (!(await mountPoints()).has(resolved)) refuse('EINVAL', path)
        await unmount(resolved)
      }),
  }
}

/** Of what can go all goes, as in Go's; what is mounted is not looked into (removeall.go, RemoveAllOneFilesystem). @returns the first that could not */
async function removeAll(path: string, mounted: ReadonlySet<string>): Promise<unknown> {
  if (mounted.has(path)) return new DiskError('EBUSY', path)
  try {
    const is = await unlessMissing(lstat(path))
    if (is === undefined) return undefined
    if (!is.isDirectory()) return void (await unlink(path))
    let first: unknown
    for (const name of await readdir(path)) {
      const failure = await removeAll(join(path, name), mounted)
      first ??= failure
    }
    if (first === undefined) await rmdir(path)
    return first
  } catch (error) {
    return error
  }
}

function kindOf(is: Stats | undefined): EntryKind | undefined {
  if (is === undefined) return undefined
  if (is.isDirectory()) return 'directory'
  if (is.isFile()) return 'file'
  return is.isSymbolicLink() ? 'symlink' : 'device'
}

async function unlessMissing<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code

function refuse(code: DiskError['code'], path: string): never {
  throw new DiskError(code, path)
}
