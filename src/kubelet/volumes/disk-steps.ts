// Steps on the disk that the kubelet takes again and again. Upstream: volume/csi/csi_mounter.go, csi_util.go
import {readVolData, type VolData} from '../../node/vol-data.ts'
import {type Disk, DiskError} from '../disk.ts'
import {parentOf} from './csi-paths.ts'

export const isMissing = (error: unknown): boolean => error instanceof DiskError && error.code === 'ENOENT'

/** The disk for one process: what it would do after its end is never done. */
export function diskOf(disk: Disk, signal: AbortSignal): Disk {
  const alive =
    <Given extends unknown[], Result>(step: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      signal.throwIfAborted()
      const result = await step(...given)
      signal.throwIfAborted()
      return result
    }
  const {attachFileDevice, detachFileDevice} = disk
  return {
    ...(attachFileDevice && {attachFileDevice: alive((path: string) => attachFileDevice.call(disk, path))}),
    ...(detachFileDevice && {detachFileDevice: alive((path: string) => detachFileDevice.call(disk, path))}),
    stat: alive((path) => disk.stat(path)),
    readDir: alive((path) => disk.readDir(path)),
    mkdirAll: alive((path) => disk.mkdirAll(path)),
    writeFile: alive((path, text) => disk.writeFile(path, text)),
    readFile: alive((path) => disk.readFile(path)),
    symlink: alive((target, path) => disk.symlink(target, path)),
    rmdir: alive((path) => disk.rmdir(path)),
    unlink: alive((path) => disk.unlink(path)),
    removeAll: alive((path) => disk.removeAll(path)),
    isMountPoint: alive((path) => disk.isMountPoint(path)),
    mountRefs: alive((path) => disk.mountRefs(path)),
    bindMount: alive((source, path) => disk.bindMount(source, path)),
    unmount: alive((path) => disk.unmount(path)),
  }
}

/** Upstream: isDirMounted */
export async function isMounted(disk: Disk, path: string): Promise<boolean> {
  return (await disk.stat(path)) !== undefined && (await disk.isMountPoint(path))
}

/** A file or an empty directory; nothing is fine, too. Upstream: os.Remove */
export async function remove(disk: Disk, path: string): Promise<void> {
  const kind = await disk.stat(path)
  if (kind === 'directory') await disk.rmdir(path)
  else if (kind !== undefined) await disk.unlink(path)
}

/** With its vol_data.json and the folder of both, but nothing of what is mounted there. Upstream: removeMountDir */
export async function removeMountDir(disk: Disk, mountPath: string): Promise<void> {
  if (await isMounted(disk, mountPath)) return
  await remove(disk, mountPath)
  const folder = parentOf(mountPath)
  await remove(disk, dataFile(folder))
  await remove(disk, folder)
}

/** One that says the same already is left alone. Upstream: saveVolumeData, whose encoder ends its lines */
export async function saveVolumeData(disk: Disk, folder: string, record: string): Promise<void> {
  const text = `${record}\n`
  await disk.mkdirAll(folder)
  const file = dataFile(folder)
  if ((await disk.stat(file)) === 'file' && (await disk.readFile(file)) === text) return
  await disk.writeFile(file, text)
}

export interface LoadedVolume {
  readonly driver: string
  readonly handle: string
  readonly data: VolData
}

/** Whatever a field lacks is empty. Upstream: loadVolumeData @throws DiskError, or an Error when it cannot be read */
export async function loadVolumeData(disk: Disk, folder: string): Promise<LoadedVolume> {
  const data = readVolData(Buffer.from(await disk.readFile(dataFile(folder))))
  if ('unreadable' in data) throw new Error(`failed to decode ${dataFile(folder)}: ${data.unreadable}`)
  return {driver: data.driverName ?? '', handle: data.volumeHandle ?? '', data}
}

const dataFile = (folder: string): string => `${folder}/vol_data.json`
