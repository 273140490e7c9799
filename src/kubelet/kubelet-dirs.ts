// The entries below the kubelet's root, by path and by parent.
import {oncePer} from '../base/once-per.ts'
import type {DiskEntry} from '../node/disk.ts'

export interface KubeletDirs {
  get(path: string): DiskEntry | undefined
  /** Names of what lies directly in a directory, sorted; empty when it is not there. */
  names(directory: string): readonly string[]
}

/** Children are chained by their numbers: a list for each of the many directories with one entry would cost more than all the rest. */
export const kubeletDirs: (entries: readonly DiskEntry[]) => KubeletDirs = oncePer((entries) => {
  const byPath = new Map<string, DiskEntry>()
  const firstChild = new Map<string, number>()
  const nextSibling = new Int32Array(entries.length).fill(-1)
  for (const [index, entry] of entries.entries()) {
    const {path} = entry
    const seen = byPath.has(path)
    byPath.set(path, entry)
    if (seen || path === '') continue
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    nextSibling[index] = firstChild.get(parent) ?? -1
    firstChild.set(parent, index)
  }
  const sorted = new Map<string, readonly string[]>()
  return {
    get: (path) => byPath.get(path),
    names: (directory) => {
      const known = sorted.get(directory)
      if (known !== undefined) return known
      const start = directory === '' ? 0 : directory.length + 1
      const names: string[] = []
      for (let at = firstChild.get(directory) ?? -1; at !== -1; at = nextSibling[at] ?? -1) names.push(entries[at]?.path.slice(start) ?? '')
      sorted.set(directory, names.sort())
      return names
    },
  }
})
