// A node's disk whose kubelet root is a folder of this machine. It asks for no right to mount: what is mounted is known to this disk alone, and whoever looks into
// the folder finds an empty directory or file there.
import {mkdirSync} from 'node:fs'
import {kubeletRoot} from '../../kubelet/disk.ts'
import {type DirectoryNode, directory, namesOf} from './disk-tree.ts'
import {folderNode} from './folder-nodes.ts'
import {pathMap} from './path-map.ts'
import {type LabDisk, type Tell, treeDisk} from './tree-disk.ts'

export interface RootlessDiskOptions {
  /** What the model calls /var/lib/kubelet; made when it is not there. */
  readonly root: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly tell?: Tell
}

export function rootlessDisk({root, now, tell}: RootlessDiskOptions): LabDisk {
  mkdirSync(root, {recursive: true})
  const top = directory(now())
  const names = namesOf(kubeletRoot)
  let above: DirectoryNode = top
  for (const name of names.slice(0, -1)) {
    const next = directory(now())
    above.entries.set(name, next)
    above = next
  }
  above.entries.set(names.at(-1) ?? '', folderNode(root, pathMap(root)))
  return treeDisk(top, now, tell)
}
