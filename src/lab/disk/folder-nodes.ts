// A folder of this machine as nodes of a disk of the lab. Whoever else writes there is seen at once. All calls are synchronous: so nothing comes between the
// steps of one operation of ours, and the lab's clock need not wait for them.
import {
  type BigIntStats,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {DiskError} from '../../kubelet/disk.ts'
import type {DeviceNode, DirectoryNode, DiskNode, Entries, FileNode, LinkNode} from './disk-tree.ts'
import type {PathMap} from './path-map.ts'

/** @param path of the folder, which is there */
export const folderNode = (path: string, paths: PathMap): DirectoryNode => new Folder(new Entry(path, paths))

/** What has one path. Its identity is the inode's: what comes after it at its place is another. */
class Entry {
  readonly path: string
  readonly paths: PathMap

  constructor(path: string, paths: PathMap) {
    this.path = path
    this.paths = paths
  }

  look(): BigIntStats | undefined {
    return this.do(() => lstatSync(this.path, {bigint: true, throwIfNoEntry: false}))
  }

  do<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw new DiskError((error as NodeJS.ErrnoException).code ?? 'EIO', this.paths.toModel(this.path), error)
    }
  }
}

/** A file system may give the number of one inode to the next. */
const identityOf = (stats: BigIntStats | undefined): string =>
  stats === undefined ? '' : `${stats.dev} ${stats.ino} ${stats.birthtimeNs} ${stats.mode & fileType}`

const fileType = 0o170000n

abstract class FolderNode {
  readonly entry: Entry
  /** By ourselves: what comes to its place in the same moment may have its inode's number. */
  removed = false
  readonly #identity: string

  constructor(entry: Entry, stats = entry.look()) {
    this.entry = entry
    this.#identity = identityOf(stats)
  }

  is(stats: BigIntStats | undefined): boolean {
    return identityOf(stats) === this.#identity
  }

  readonly isGone = (): boolean => this.removed || !this.is(this.entry.look())

  get modifiedAt(): number {
    return Number(this.entry.look()?.mtimeMs ?? 0)
  }

  /** So that the times are those of the lab's clock. */
  set modifiedAt(ms: number) {
    if (!this.isGone()) this.entry.do(() => touch(this.entry.path, ms))
  }
}

class Folder extends FolderNode implements DirectoryNode {
  readonly kind = 'directory'
  readonly entries: Entries

  constructor(entry: Entry, stats?: BigIntStats) {
    super(entry, stats)
    this.entries = new FolderEntries(entry, this.isGone)
  }
}

class FolderFile extends FolderNode implements FileNode {
  readonly kind = 'file'
  /** Of one that was removed: where it is still mounted, it is still read. */
  #kept: string | undefined

  get text(): string {
    return this.#kept ?? this.entry.do(() => readFileSync(this.entry.path, 'utf8'))
  }

  set text(text: string) {
    if (this.#kept !== undefined) this.#kept = text
    else this.entry.do(() => writeFileSync(this.entry.path, text))
  }

  keep(): void {
    try {
      this.#kept = this.text
    } catch {
      // Who may not read a file may still remove it.
      this.#kept = ''
    }
  }
}

class FolderLink extends FolderNode implements LinkNode {
  readonly kind = 'symlink'

  get target(): string {
    return this.entry.do(() => this.entry.paths.toModel(readlinkSync(this.entry.path)))
  }
}

/** A device, or a socket. */
class Special extends FolderNode implements DeviceNode {
  readonly kind = 'device'
}

class FolderEntries implements Entries {
  readonly #folder: Entry
  /** And still mounted somewhere: then it is empty. */
  readonly #isGone: () => boolean
  /** One and the same node for one thing, as what is mounted on it is found by it. */
  readonly #known = new Map<string, FolderNode & DiskNode>()

  constructor(folder: Entry, isGone: () => boolean) {
    this.#folder = folder
    this.#isGone = isGone
  }

  get size(): number {
    return this.#names().length
  }

  get(name: string): DiskNode | undefined {
    const entry = this.#at(name)
    const stats = this.#isGone() ? undefined : entry.look()
    const known = this.#known.get(name)
    if (stats !== undefined && known?.is(stats)) return known
    this.#known.delete(name)
    if (stats === undefined) return undefined
    const node = nodeOf(entry, stats)
    this.#known.set(name, node)
    return node
  }

  set(name: string, node: DiskNode): void {
    const {path, paths} = this.#at(name)
    this.#folder.do(() => {
      if (node.kind === 'directory') mkdirSync(path)
      else if (node.kind === 'symlink') symlinkSync(paths.toReal(node.target), path)
      else writeFileSync(path, node.kind === 'file' ? node.text : '')
      if (node.kind !== 'symlink') touch(path, node.modifiedAt)
    })
  }

  delete(name: string): void {
    const entry = this.#at(name)
    const known = this.get(name) === undefined ? undefined : this.#known.get(name)
    if (known instanceof FolderFile) known.keep()
    entry.do(() => (entry.look()?.isDirectory() ? rmdirSync(entry.path) : unlinkSync(entry.path)))
    if (known !== undefined) known.removed = true
    this.#known.delete(name)
  }

  keys(): Iterable<string> {
    return this.#names()
  }

  *[Symbol.iterator](): Generator<[string, DiskNode]> {
    for (const name of this.#names()) {
      const node = this.get(name)
      if (node !== undefined) yield [name, node]
    }
  }

  #at(name: string): Entry {
    return new Entry(join(this.#folder.path, name), this.#folder.paths)
  }

  /** Sorted: what a folder gives is in no order. */
  #names(): string[] {
    return this.#isGone() ? [] : this.#folder.do(() => readdirSync(this.#folder.path)).sort()
  }
}

/** Half a millisecond more, as a fraction of a second may be cut short. */
function touch(path: string, ms: number): void {
  const seconds = (ms + 0.5) / 1000
  utimesSync(path, seconds, seconds)
}

function nodeOf(entry: Entry, stats: BigIntStats): FolderNode & DiskNode {
  if (stats.isDirectory()) return new Folder(entry, stats)
  if (stats.isFile()) return new FolderFile(entry, stats)
  return stats.isSymbolicLink() ? new FolderLink(entry, stats) : new Special(entry, stats)
}
