// Takes away the folder that was a kubelet's root for a while, with what drivers left mounted in it.
import {type Disk, kubeletRoot} from '../../kubelet/disk.ts'
import {pathMap} from './path-map.ts'
import {mountPoints} from './real-mounts.ts'

/** What a driver left mounted is ours to undo: it lies in a folder of ours. Nothing is removed through a mount. */
export async function clearAway(disk: Required<Disk>, root: string): Promise<void> {
  const {toModel} = pathMap(root)
  const mounted = [...(await mountPoints())].filter((path) => path.startsWith(`${root}/`))
  for (const path of mounted.sort().reverse()) await unmountAll(disk, path, toModel(path))
  await disk.removeAll(kubeletRoot).catch(() => undefined)
}

/** They may lie one upon the other. */
async function unmountAll(disk: Required<Disk>, real: string, path: string): Promise<void> {
  while ((await mountPoints()).has(real)) {
    await disk.detachFileDevice(path).catch(() => undefined)
    try {
      await disk.unmount(path)
    } catch {
      // It is in use: it stays, and what it is in.
      return
    }
  }
}
