// Where a pod's raw block device shows: a bind mount that holds it, the pod's link, and on a disk that has devices a loop device over the bind mount.
// Upstream: volume/util/util.go, MapBlockVolume and UnmapBlockVolume; volumepathhandler
import type {Disk} from '../disk.ts'
import {blockPaths, devicePathOf, parentOf} from './csi-paths.ts'
import {remove} from './disk-steps.ts'

export async function mapBlockVolume(disk: Disk, devicePath: string, specName: string, podUid: string): Promise<void> {
  await disk.mkdirAll(blockPaths.dev(specName))
  const bound = bindPath(specName, podUid)
  const kind = await disk.stat(bound)
  if (kind !== 'device') {
    if (kind === undefined) await disk.writeFile(bound, '')
    await disk.bindMount(devicePath, bound)
  }
  const link = devicePathOf(podUid, specName)
  await disk.mkdirAll(parentOf(link))
  await remove(disk, link)
  await disk.symlink(devicePath, link)
  await disk.attachFileDevice?.(bound)
}

export async function unmapBlockVolume(disk: Disk, specName: string, podUid: string): Promise<void> {
  const bound = bindPath(specName, podUid)
  await disk.detachFileDevice?.(bound)
  const link = devicePathOf(podUid, specName)
  if ((await disk.stat(link)) === 'symlink') await disk.unlink(link)
  if ((await disk.stat(bound)) === 'device') await disk.unmount(bound)
  await remove(disk, bound)
}

/** Devices of pods that still have it. @throws DiskError ENOENT when no pod ever had */
export async function deviceBindMountRefs(disk: Disk, specName: string): Promise<readonly string[]> {
  const refs: string[] = []
  for (const name of await disk.readDir(blockPaths.dev(specName))) {
    const path = bindPath(specName, name)
    if ((await disk.stat(path)) === 'device') refs.push(path)
  }
  return refs
}

const bindPath = (specName: string, podUid: string): string => `${blockPaths.dev(specName)}/${podUid}`
