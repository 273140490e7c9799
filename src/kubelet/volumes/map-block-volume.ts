// Where a pod's raw block device shows: a bind mount that holds it, and the pod's link. Upstream: volume/util/util.go, volumepathhandler
//
// The loop device over the bind mount, which keeps the device from being replaced, is not modelled.
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
}

export async function unmapBlockVolume(disk: Disk, specName: string, podUid: string): Promise<void> {
  const link = devicePathOf(podUid, specName)
  if ((await disk.stat(link)) === 'symlink') await disk.unlink(link)
  const bound = bindPath(specName, podUid)
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
