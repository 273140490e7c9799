// Takes away the folder that was a kubelet's root for a while, with what drivers left mounted in it.
import {type Disk, kubeletRoot} from '../../kubelet/disk.ts'
import {pathMap} from './path-map.ts'
import {mountPoints} from './real-mounts.ts'

/** What a driver left mounted is ours to undo: it lies in a folder of ours. Nothing is removed through a mount. */
export async function clearAway(disk: Required<Disk>, root: string): Promise<void> {
  const {toModel} = pathMap(root)
  const mounted = [...(await mountPoints())].filter((path) => path.startsWith(`${root}/`)).map(toModel)
  for (const path of mounted.sort().reverse()) {
    await disk.detachFileDevice(path).catch(() => undefined)
    await disk.unmount(path).catch(() => undefined)
  }
  await disk.removeAll(kubeletRoot).catch(() => undefined)
}
