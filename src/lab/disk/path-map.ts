// Paths of the model below its kubelet's root, and where they lie on this machine.
import {kubeletRoot} from '../../kubelet/disk.ts'

export interface PathMap {
  /** What lies elsewhere is left as it is. */
  toReal(path: string): string
  toModel(path: string): string
}

/** @param root absolute */
export function pathMap(root: string): PathMap {
  return {toReal: (path) => moved(path, kubeletRoot, root), toModel: (path) => moved(path, root, kubeletRoot)}
}

function moved(path: string, from: string, to: string): string {
  return path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path
}
