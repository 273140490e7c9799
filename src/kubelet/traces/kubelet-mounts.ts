// The mount table seen from the kubelet's root: paths are relative to it, whatever name of the root the table has them under.
import {oncePer} from '../../base/once-per.ts'
import type {Mount} from '../../node/mountinfo.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'

export interface KubeletMounts {
  /** What is mounted at a path, in the order of the table; empty when nothing is. */
  at(path: string): readonly Mount[]
  /** Paths at which something is mounted, at or below a directory, sorted. */
  pathsWithin(directory: string): readonly string[]
  /** Every path below the root at which something is mounted, sorted. */
  readonly paths: readonly string[]
  /** Whether a mount shows a part of the file system that the root lies on: that path, relative to the root. */
  ownPath(mount: Mount): string | undefined
}

/** Undefined when the table was not read. */
export const kubeletMounts: (snapshot: Snapshot) => KubeletMounts | undefined = oncePer((snapshot) => {
  const mounts = known(snapshot.readings['kernel.mounts'])
  if (mounts === undefined) return undefined
  const root = snapshot.kubeletRootReal ?? snapshot.kubeletRoot
  const holder = holderOf(root, mounts)
  const prefixes = [...new Set([root, snapshot.kubeletRoot, ...aliases(root, holder, mounts)])]
  return indexOf(mounts, prefixes, holder && {device: holder.device, root: below(holder.root, under(root, holder.mountPoint) ?? '')})
})

interface RootPlace {
  readonly device: string
  /** The root's path within its file system. */
  readonly root: string
}

function indexOf(mounts: readonly Mount[], prefixes: readonly string[], place: RootPlace | undefined): KubeletMounts {
  // A name of the root may lie below another one: the longer is meant.
  const names = prefixes.toSorted((a, b) => b.length - a.length)
  const byPath = new Map<string, Mount[]>()
  for (const mount of mounts) {
    const path = relative(mount.mountPoint, names)
    if (path === undefined || path === '') continue
    const there = byPath.get(path)
    if (there === undefined) byPath.set(path, [mount])
    else there.push(mount)
  }
  const paths = [...byPath.keys()].sort()
  return {
    paths,
    at: (path) => byPath.get(path) ?? [],
    pathsWithin: (directory) => [...(byPath.has(directory) ? [directory] : []), ...startingWith(paths, `${directory}/`)],
    ownPath: (mount) => (place?.device === mount.device ? under(mount.root, place.root) : undefined),
  }
}

function relative(mountPoint: string, names: readonly string[]): string | undefined {
  for (const name of names) {
    const path = under(mountPoint, name)
    if (path !== undefined) return path
  }
  return undefined
}

function startingWith(sorted: readonly string[], prefix: string): readonly string[] {
  const start = firstAtLeast(sorted, prefix)
  let end = start
  while (sorted[end]?.startsWith(prefix)) end++
  return sorted.slice(start, end)
}

function firstAtLeast(sorted: readonly string[], wanted: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') < wanted) low = middle + 1
    else high = middle
  }
  return low
}

/** The mount that a directory lies on: the last one of those nearest to it. */
function holderOf(directory: string, mounts: readonly Mount[]): Mount | undefined {
  let holder: Mount | undefined
  for (const mount of mounts) {
    if (under(directory, mount.mountPoint) === undefined) continue
    if (holder === undefined || mount.mountPoint.length >= holder.mountPoint.length) holder = mount
  }
  return holder
}

/** Other places where the same directory shows: bind mounts of it, or of a parent of it (kubernetes-sigs/aws-ebs-csi-driver#1264). */
function aliases(directory: string, holder: Mount | undefined, mounts: readonly Mount[]): string[] {
  if (holder === undefined) return []
  const place = below(holder.root, under(directory, holder.mountPoint) ?? '')
  return mounts.flatMap((mount) => {
    const rest = mount.device === holder.device ? under(place, mount.root) : undefined
    return rest === undefined ? [] : [below(mount.mountPoint, rest)]
  })
}

/** What a path has beyond a directory: '' for the directory itself, undefined when it does not lie in it. */
function under(path: string, directory: string): string | undefined {
  if (path === directory) return ''
  const prefix = directory === '/' ? '/' : `${directory}/`
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined
}

function below(directory: string, path: string): string {
  if (path === '') return directory
  return directory === '/' ? `/${path}` : `${directory}/${path}`
}
