// The entries below the kubelet's root, by path and by parent.
import {oncePer} from '../../base/once-per.ts'
import type {DiskEntry} from '../../node/disk.ts'

export interface KubeletDirs {
  get(path: string): DiskEntry | undefined
  /** Names of what lies directly in a directory, sorted; empty when it is not there. */
  names(directory: string): readonly string[]
}

export const kubeletDirs: (entries: readonly DiskEntry[]) => KubeletDirs = oncePer((entries) => {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  const children = new Map<string, string[]>()
  for (const path of byPath.keys()) {
    const cut = path.lastIndexOf('/')
    if (path === '') continue
    const parent = cut === -1 ? '' : path.slice(0, cut)
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [path.slice(cut + 1)])
    else siblings.push(path.slice(cut + 1))
  }
  for (const siblings of children.values()) siblings.sort()
  return {get: (path) => byPath.get(path), names: (directory) => children.get(directory) ?? []}
})
