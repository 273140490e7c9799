// File systems with what is mounted in them: where a path leads, across links and mounts.
import {DiskError} from '../../kubelet/disk.ts'

export type DiskNode = DirectoryNode | FileNode | LinkNode | DeviceNode

interface AnyNode {
  /** Of a file system that others write, too: it was taken away behind our back, and with it what is mounted on it. */
  readonly isGone?: () => boolean
}

/** A Map, or what is used like one. */
export interface Entries {
  readonly size: number
  get(name: string): DiskNode | undefined
  set(name: string, node: DiskNode): unknown
  delete(name: string): unknown
  keys(): Iterable<string>
  [Symbol.iterator](): Iterator<[string, DiskNode]>
}

export interface DirectoryNode extends AnyNode {
  readonly kind: 'directory'
  readonly entries: Entries
  /** Milliseconds since 1970: its newest entry came or an entry went. */
  modifiedAt: number
}

export interface FileNode extends AnyNode {
  readonly kind: 'file'
  text: string
  modifiedAt: number
}

export interface LinkNode extends AnyNode {
  readonly kind: 'symlink'
  readonly target: string
  readonly modifiedAt: number
}

export interface DeviceNode extends AnyNode {
  readonly kind: 'device'
  readonly modifiedAt: number
}

/** What is mounted somewhere: a node, of whatever file system, that covers another. */
export interface Mount {
  readonly path: string
  readonly root: DiskNode
  /** 'disk', or that which a driver has. */
  readonly device: string
  /** The node that it covers and the mount that this one lies in; absent for the root. */
  readonly over?: Place
}

/** The same node may be seen in several mounts. */
export interface Place {
  readonly mount: Mount
  readonly node: DiskNode
}

export interface Found {
  /** What contains it; absent for the root. */
  readonly directory?: DirectoryNode
  readonly name: string
  /** Across all links. */
  readonly path: string
  /** The uppermost that is mounted there; absent when there is nothing of that name. */
  readonly place?: Place
}

export const directory = (now: number): DirectoryNode => ({kind: 'directory', entries: new Map(), modifiedAt: now})

/** As many as Linux follows. */
const mostLinks = 40

export class DiskTree {
  readonly root: Mount
  /** In the order in which they were mounted, without the root. */
  readonly #mounts = new Set<Mount>()
  readonly #covered = new Map<DiskNode, Mount[]>()
  readonly #byRoot = new Map<DiskNode, Mount[]>()
  /** How many lie in a mount. */
  readonly #within = new WeakMap<Mount, number>()

  constructor(top: DirectoryNode) {
    this.root = {path: '/', root: top, device: 'disk'}
  }

  /** @param follow a link at the path's end, too @throws DiskError ENOENT or ENOTDIR when there is no way to the last name */
  find(path: string, follow: boolean, links = 0): Found {
    if (links > mostLinks) throw new DiskError('ELOOP', path)
    let place = this.uppermost({mount: this.root, node: this.root.root})
    let found: Found = {name: '/', path: '/', place}
    let walked = ''
    const names = namesOf(path)
    for (const [index, name] of names.entries()) {
      if (place.node.kind !== 'directory') throw new DiskError('ENOTDIR', walked)
      const inside: DiskNode | undefined = place.node.entries.get(name)
      const last = index === names.length - 1
      if (inside === undefined) {
        if (!last) throw new DiskError('ENOENT', path)
        return {directory: place.node, name, path: `${walked}/${name}`}
      }
      if (inside.kind === 'symlink' && (follow || !last)) {
        const target = inside.target.startsWith('/') ? inside.target : `${walked}/${inside.target}`
        return this.find([target, ...names.slice(index + 1)].join('/'), follow, links + 1)
      }
      const next = this.uppermost({mount: place.mount, node: inside})
      walked += `/${name}`
      found = {directory: place.node, name, path: walked, place: next}
      place = next
    }
    return found
  }

  uppermost(place: Place): Place {
    const above = this.#covered.get(place.node)?.findLast(({over}) => over?.mount === place.mount)
    return above === undefined ? place : this.uppermost({mount: above, node: above.root})
  }

  mount(mount: Mount & {readonly over: Place}): void {
    this.#mounts.add(mount)
    append(this.#covered, mount.over.node, mount)
    append(this.#byRoot, mount.root, mount)
    this.#within.set(mount.over.mount, (this.#within.get(mount.over.mount) ?? 0) + 1)
  }

  /** @returns false when something is mounted in it or on it */
  unmount(mount: Mount & {readonly over: Place}): boolean {
    if ((this.#within.get(mount) ?? 0) > 0) return false
    this.#mounts.delete(mount)
    remove(this.#covered, mount.over.node, mount)
    remove(this.#byRoot, mount.root, mount)
    this.#within.set(mount.over.mount, (this.#within.get(mount.over.mount) ?? 1) - 1)
    return true
  }

  /** Something is mounted on this node, in whatever mount it is seen: then it cannot go (is_local_mountpoint). */
  isCovered(node: DiskNode): boolean {
    return this.#covered.has(node)
  }

  /** Where this node is mounted, the root's mount not counted. */
  mountsOf(node: DiskNode): readonly Mount[] {
    return (this.#byRoot.get(node) ?? []).filter(isThere)
  }

  /** All that are mounted. */
  seen(): readonly Mount[] {
    return [...this.#mounts].filter(isThere)
  }
}

const isThere = ({over}: Mount): boolean => over?.node.isGone?.() !== true

/** The mount whose point the place is. */
export const mountAt = ({mount, node}: Place): (Mount & {readonly over: Place}) | undefined =>
  mount.root === node && mount.over !== undefined ? (mount as Mount & {readonly over: Place}) : undefined

export function namesOf(path: string): readonly string[] {
  const names: string[] = []
  for (const name of path.split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names
}

function append<Key>(lists: Map<Key, Mount[]>, key: Key, mount: Mount): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [mount])
  else list.push(mount)
}

function remove<Key>(lists: Map<Key, Mount[]>, key: Key, mount: Mount): void {
  const left = (lists.get(key) ?? []).filter((each) => each !== mount)
  if (left.length === 0) lists.delete(key)
  else lists.set(key, left)
}
