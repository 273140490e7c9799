// A disk of the lab: what the system calls of its file systems and mounts would do. What changes is told.
import {DiskError, type EntryKind} from '../../kubelet/disk.ts'
import type {DiskEvent} from '../../timeline/event.ts'
import {
  type DeviceNode,
  type DirectoryNode,
  type DiskNode,
  DiskTree,
  directory,
  type Found,
  type Mount,
  mountAt,
  namesOf,
  type Place,
} from './disk-tree.ts'
import type {DriverDisk, Mountable} from './driver-disk.ts'

export interface LabDisk extends DriverDisk {
  /** All that lies below a directory, sorted by path. What is mounted somewhere is not looked into. */
  listing(path: string): readonly DiskRow[]
  /** As the kernel lists them: in the order in which they were mounted. */
  mounts(): readonly {readonly path: string; readonly device: string; readonly kind: EntryKind}[]
}

export interface DiskRow {
  readonly path: string
  readonly kind: EntryKind
  readonly modifiedAt: number
  /** Of a file. */
  readonly text?: string
  /** Of a link. */
  readonly target?: string
  /** Of a mount point: the device that is mounted there. */
  readonly mounted?: string
}

type Gone = Pick<DiskEvent, 'path' | 'entry'>
export type Tell = (change: Omit<DiskEvent, 'kind' | 'at'>) => void

/** @param top its root directory @param now milliseconds since 1970 */
export function treeDisk(top: DirectoryNode, now: () => number, tell: Tell = () => {}): LabDisk {
  const tree = new DiskTree(top)
  const contents = new WeakMap<Mountable, DirectoryNode | DeviceNode>()
  const mountable = (device: string, root: DirectoryNode | DeviceNode): Mountable => {
    const what = {device}
    contents.set(what, root)
    return what
  }
  const placeOf = (path: string): Place => tree.find(path, true).place ?? missing(path)
  const seek = (path: string, follow = false): Found | undefined => {
    try {
      return tree.find(path, follow)
    } catch (error) {
      if (error instanceof DiskError && error.code === 'ENOENT') return undefined
      throw error
    }
  }
  /** It may be mounted still, and be seen there, but nothing comes into it any more. */
  const removed = new WeakSet<DirectoryNode>()
  const enter = ({directory, name}: Found, path: string, node: DiskNode) => {
    if (directory === undefined) throw new DiskError('EEXIST', path)
    if (removed.has(directory)) throw new DiskError('ENOENT', path)
    directory.entries.set(name, node)
    directory.modifiedAt = now()
    tell({what: 'made', path: clean(path), entry: node.kind})
  }
  const leave = (directory: DirectoryNode, name: string, node: DiskNode) => {
    directory.entries.delete(name)
    if (node.kind === 'directory') removed.add(node)
    directory.modifiedAt = now()
  }
  const mkdirAll = (path: string) => {
    let made = false
    for (let length = 1, names = namesOf(path); length <= names.length; length++) {
      const folder = `/${names.slice(0, length).join('/')}`
      const {directory: parent, name, place: there} = tree.find(folder, false)
      if (there !== undefined) {
        const {place} = there.node.kind === 'symlink' ? (seek(folder, true) ?? {}) : {place: there}
        // A link that leads nowhere is in the way.
        if (place === undefined) throw new DiskError('EEXIST', folder)
        if (place.node.kind !== 'directory') throw new DiskError('ENOTDIR', folder)
        continue
      }
      if (parent !== undefined && removed.has(parent)) throw new DiskError('ENOENT', folder)
      parent?.entries.set(name, directory(now()))
      if (parent !== undefined) parent.modifiedAt = now()
      made = true
    }
    if (made) tell({what: 'made', path: clean(path), entry: 'directory'})
  }
  const isBusy = (place: Place): boolean => mountAt(place) !== undefined || tree.isCovered(place.node)
  /** In the kernel's order of checks (may_delete, vfs_rmdir, vfs_unlink). */
  const take = (path: string, is: 'directory' | 'other' | 'anything') => {
    const {directory, name, place} = tree.find(path, false)
    if (place === undefined) return missing(path)
    const {node} = place
    if (is === 'directory' && node.kind !== 'directory') throw new DiskError('ENOTDIR', path)
    if (is === 'other' && node.kind === 'directory') throw new DiskError('EISDIR', path)
    if (directory === undefined || isBusy(place)) throw new DiskError('EBUSY', path)
    if (node.kind === 'directory' && node.entries.size > 0) throw new DiskError('ENOTEMPTY', path)
    leave(directory, name, node)
    tell({what: 'removed', path: clean(path), entry: node.kind})
  }
  /** Of what can go all goes, as in Go's, and is told of in `gone`. @returns the first that could not */
  const clear = (place: Place, path: string, gone: Gone[]): DiskError | undefined => {
    if (mountAt(place) !== undefined) return new DiskError('EBUSY', path)
    const busy = tree.isCovered(place.node) ? new DiskError('EBUSY', path) : undefined
    if (place.node.kind !== 'directory') return busy
    let first: DiskError | undefined
    for (const [name, node] of [...place.node.entries]) {
      const inner: Gone[] = []
      const kept = clear(tree.uppermost({mount: place.mount, node}), `${path}/${name}`, inner)
      if (kept === undefined) {
        leave(place.node, name, node)
        gone.push({path: `${path}/${name}`, entry: node.kind})
      } else gone.push(...inner)
      first ??= kept
    }
    return first ?? busy
  }
  const mount = (node: DiskNode, device: string, path: string) => {
    const {place: over = missing(path), path: point} = tree.find(path, true)
    if ((node.kind === 'directory') !== (over.node.kind === 'directory')) throw new DiskError('ENOTDIR', path)
    tree.mount({path: point, root: node, device, over})
    tell({what: 'mounted', path: clean(path), entry: node.kind})
  }
  const list = function* (place: Place, path: string, top = false): Generator<DiskRow> {
    const {node, mount} = place
    yield rowOf(node, path, mountAt(place))
    if (node.kind !== 'directory' || (mountAt(place) !== undefined && !top)) return
    for (const name of [...node.entries.keys()].sort()) {
      const inside = node.entries.get(name)
      if (inside !== undefined) yield* list(tree.uppermost({mount, node: inside}), `${path === '/' ? '' : path}/${name}`)
    }
  }
  return {
    stat: async (path) => seek(path)?.place?.node.kind,
    readDir: async (path) => {
      const {node} = placeOf(path)
      if (node.kind !== 'directory') throw new DiskError('ENOTDIR', path)
      return [...node.entries.keys()].sort()
    },
    mkdirAll: async (path) => mkdirAll(path),
    writeFile: async (path, text) => {
      const found = tree.find(path, true)
      const node = found.place?.node
      if (node === undefined) return enter(found, path, {kind: 'file', text, modifiedAt: now()})
      if (node.kind !== 'file') throw new DiskError('EISDIR', path)
      node.text = text
      node.modifiedAt = now()
    },
    readFile: async (path) => {
      const {node} = placeOf(path)
      if (node.kind !== 'file') throw new DiskError('EISDIR', path)
      return node.text
    },
    symlink: async (to, path) => {
      const found = tree.find(path, false)
      if (found.place !== undefined) throw new DiskError('EEXIST', path)
      enter(found, path, {kind: 'symlink', target: to, modifiedAt: now()})
    },
    rmdir: async (path) => take(path, 'directory'),
    unlink: async (path) => take(path, 'other'),
    removeAll: async (path) => {
      const found = seek(path)
      if (found?.place === undefined) return
      const gone: Gone[] = []
      const kept = clear(found.place, clean(path), gone)
      if (kept === undefined) return take(path, 'anything')
      for (const each of gone) tell({what: 'removed', ...each})
      throw kept
    },
    isMountPoint: async (path) => mountAt(placeOf(path)) !== undefined,
    mountRefs: async (path) => {
      const {node, mount} = placeOf(path)
      return tree
        .mountsOf(node)
        .filter((each) => each !== mount)
        .map((each) => each.path)
        .sort()
    },
    bindMount: async (source, path) => {
      const from = placeOf(source)
      mount(from.node, from.mount.device, path)
    },
    unmount: async (path) => {
      const place = placeOf(path)
      const mounted = mountAt(place)
      if (mounted === undefined) throw new DiskError('EINVAL', path)
      if (!tree.unmount(mounted)) throw new DiskError('EBUSY', path)
      tell({what: 'unmounted', path: clean(path), entry: place.node.kind})
    },
    makeFilesystem: (device) => mountable(device, directory(now())),
    makeBlockDevice: (device) => mountable(device, {kind: 'device', modifiedAt: now()}),
    mount: async (what, path) => {
      const root = contents.get(what)
      if (root === undefined) throw new DiskError('EINVAL', path)
      mount(root, what.device, path)
    },
    mounts: () => tree.seen().map(({path, device, root}) => ({path, device, kind: root.kind})),
    listing: (path) => {
      const {place} = seek(path) ?? {}
      return place === undefined ? [] : [...list(place, clean(path), true)].slice(1)
    },
  }
}

export const parentOf = (path: string): string => clean(`${path}/..`)

const clean = (path: string): string => `/${namesOf(path).join('/')}`

function rowOf(node: DiskNode, path: string, mount: Mount | undefined): DiskRow {
  const row = {path, kind: node.kind, modifiedAt: node.modifiedAt, ...(mount === undefined ? {} : {mounted: mount.device})}
  if (node.kind === 'file') return {...row, text: node.text}
  return node.kind === 'symlink' ? {...row, target: node.target} : row
}

function missing(path: string): never {
  throw new DiskError('ENOENT', path)
}
