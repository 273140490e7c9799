// A real disk whose changes get into the timeline: nobody tells of them, so somebody has to look, again and again.
import {readdir} from 'node:fs/promises'
import {join} from 'node:path'
import type {Clock} from '../../base/clock.ts'
import {type Disk, type EntryKind, kubeletRoot} from '../../kubelet/disk.ts'
import {pathMap} from './path-map.ts'
import {mountPoints} from './real-mounts.ts'
import type {DiskRow, LabDisk, Tell} from './tree-disk.ts'

export interface WatchedDiskOptions {
  readonly disk: Disk
  /** What the model calls /var/lib/kubelet; a path with no link in it. */
  readonly root: string
  readonly clock: Clock
  /** Milliseconds of the clock between two looks. */
  readonly every: number
  readonly tell: Tell
}

/** What comes and goes between two looks is not seen. Looks as long as the clock goes on. */
export function watchedDisk({disk, root, clock, every, tell}: WatchedDiskOptions): LabDisk {
  const {toModel} = pathMap(root)
  let seen: ReadonlyMap<string, Found> = new Map()
  const look = async () => {
    const now = await found(root, await mountPoints())
    for (const [path, {kind, mounted}] of seen) {
      const after = now.get(path)
      if (mounted && !after?.mounted) tell({what: 'unmounted', path: toModel(path), entry: kind})
      // Of what went with what it was in, one event is enough.
      if (after === undefined && now.has(parentOf(path))) tell({what: 'removed', path: toModel(path), entry: kind})
    }
    for (const [path, {kind, mounted}] of now) {
      const before = seen.get(path)
      if (before === undefined) tell({what: 'made', path: toModel(path), entry: kind})
      if (mounted && !before?.mounted) tell({what: 'mounted', path: toModel(path), entry: kind})
    }
    seen = now
  }
  const watch = async () => {
    for (;;) {
      await look()
      await clock.sleep(every)
    }
  }
  void watch()
  const rows = (): DiskRow[] => [...seen].map(([path, {kind}]) => ({path: toModel(path), kind, modifiedAt: clock.now()}))
  return {
    ...disk,
    listing: (path) => rows().filter((row) => row.path.startsWith(path === '/' ? '/' : `${path}/`)),
    mounts: () => [...seen].flatMap(([path, {kind, mounted}]) => (mounted ? [{path: toModel(path), device: '', kind}] : [])),
    makeFilesystem: noVolumes,
    makeBlockDevice: noVolumes,
    mount: async () => noVolumes(),
  }
}

interface Found {
  readonly kind: EntryKind
  readonly mounted: boolean
}

/** By their paths, each after the directory that it is in. What is mounted is not looked into. What goes meanwhile is not there. */
async function found(root: string, mounts: ReadonlySet<string>): Promise<ReadonlyMap<string, Found>> {
  const all = new Map<string, Found>([[root, {kind: 'directory', mounted: mounts.has(root)}]])
  const walk = async (folder: string) => {
    for (const entry of await readdir(folder, {withFileTypes: true}).catch(() => [])) {
      const path = join(folder, entry.name)
      const kind = entry.isDirectory() ? 'directory' : entry.isFile() ? 'file' : entry.isSymbolicLink() ? 'symlink' : 'device'
      const mounted = mounts.has(path)
      all.set(path, {kind, mounted})
      if (kind === 'directory' && !mounted) await walk(path)
    }
  }
  await walk(root)
  return all
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

function noVolumes(): never {
  throw new Error(`a real driver brings its own volumes to ${kubeletRoot}`)
}
