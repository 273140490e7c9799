// The volumes of a CSI driver and what it makes of them on the node's disk. They outlive its process.

import type {VolumeMode} from '../../kubelet/csi.ts'
import {DiskError} from '../../kubelet/disk.ts'
import type {DriverDisk, Mountable} from '../disk/driver-disk.ts'
import {parentOf} from '../disk/tree-disk.ts'

export interface DriverVolume {
  readonly handle: string
  readonly mode: VolumeMode
  /** Where, while it is. */
  readonly stagedAt?: string
  /** Target paths. */
  readonly publishedAt: readonly string[]
}

export interface DriverVolumes {
  /** In the order in which they were created. */
  list(): readonly DriverVolume[]
  get(handle: string): DriverVolume | undefined
  create(handle: string, mode: VolumeMode): void
  remove(handle: string): void
  stage(handle: string, path: string): Promise<void>
  unstage(handle: string, path: string): Promise<void>
  /** @param from its staging path; absent: it is not staged */
  publish(handle: string, target: string, from?: string): Promise<void>
  unpublish(handle: string, target: string): Promise<void>
}

export function driverVolumes(driver: string, disk: DriverDisk): DriverVolumes {
  const volumes = new Map<string, DriverVolume & {readonly device: Mountable}>()
  const change = (handle: string, changes: Pick<DriverVolume, 'publishedAt'> | {readonly stagedAt: string | undefined}) => {
    const volume = volumes.get(handle)
    if (volume !== undefined) volumes.set(handle, {...volume, ...changes} as typeof volume)
  }
  return {
    list: () => [...volumes.values()],
    get: (handle) => volumes.get(handle),
    create: (handle, mode) => {
      const name = `${driver}/${handle}`
      const device = mode === 'Block' ? disk.makeBlockDevice(name) : disk.makeFilesystem(name)
      volumes.set(handle, {handle, mode, device, publishedAt: []})
    },
    remove: (handle) => void volumes.delete(handle),
    stage: async (handle, path) => {
      const volume = volumes.get(handle)
      if (volume === undefined) return
      // It is the kubelet that has to make it; what it took away meanwhile most drivers make again.
      await disk.mkdirAll(path)
      if (volume.mode === 'Filesystem' && !(await isMounted(disk, path))) await disk.mount(volume.device, path)
      change(handle, {stagedAt: path})
    },
    unstage: async (handle, path) => {
      if (await isMounted(disk, path)) await disk.unmount(path)
      change(handle, {stagedAt: undefined})
    },
    publish: async (handle, target, from) => {
      const volume = volumes.get(handle)
      if (volume === undefined) return
      if (!(await isMounted(disk, target))) {
        await makeTarget(disk, target, volume.mode)
        if (volume.mode === 'Filesystem' && from !== undefined) await disk.bindMount(from, target)
        else await disk.mount(volume.device, target)
      }
      change(handle, {publishedAt: [...new Set([...volume.publishedAt, target])]})
    },
    unpublish: async (handle, target) => {
      if (await isMounted(disk, target)) await disk.unmount(target)
      await removeTarget(disk, target)
      change(handle, {publishedAt: (volumes.get(handle)?.publishedAt ?? []).filter((each) => each !== target)})
    },
  }
}

async function makeTarget(disk: DriverDisk, target: string, mode: VolumeMode): Promise<void> {
  if (mode === 'Filesystem') return disk.mkdirAll(target)
  await disk.mkdirAll(parentOf(target))
  if ((await disk.stat(target)) === undefined) await disk.writeFile(target, '')
}

/** The specification has the driver remove what it made. */
async function removeTarget(disk: DriverDisk, target: string): Promise<void> {
  const kind = await disk.stat(target)
  if (kind === 'directory') await disk.rmdir(target)
  else if (kind !== undefined) await disk.unlink(target)
}

async function isMounted(disk: DriverDisk, path: string): Promise<boolean> {
  try {
    return await disk.isMountPoint(path)
  } catch (error) {
    if (error instanceof DiskError && error.code === 'ENOENT') return false
    throw error
  }
}
