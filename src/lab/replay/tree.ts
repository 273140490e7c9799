// Files of a replay. A bundle is somebody else's: nothing is written but below the folder, and never through a link of the bundle's own.
import {lutimesSync, mkdirSync, symlinkSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'

export interface Facts {
  readonly mode?: number
  /** Milliseconds since 1970. */
  readonly modifiedAt?: number
}

interface Node extends Facts {
  readonly kind: 'directory' | 'file' | 'link'
  /** Of a file its text, of a link its target. */
  readonly text?: string
}

export class Tree {
  readonly #nodes = new Map<string, Node>()

  directory(path: string, facts: Facts = {}): void {
    this.#add(path, {kind: 'directory', ...facts})
  }

  file(path: string, text: string, facts: Facts = {}): void {
    this.#add(path, {kind: 'file', text, ...facts})
  }

  link(path: string, target: string, facts: Facts = {}): void {
    this.#add(path, {kind: 'link', text: target, ...facts})
  }

  /** Into a folder that is empty and ours alone. */
  write(root: string): void {
    const nodes = this.#whole()
    const at = (path: string) => join(root, path)
    // Our own way in stays open, whatever the mode was.
    for (const [path, {mode = 0o755}] of ofKind(nodes, 'directory')) mkdirSync(at(path), {mode: (mode & 0o777) | 0o700})
    for (const [path, {mode = 0o644, text = ''}] of ofKind(nodes, 'file'))
      writeFileSync(at(path), text, {mode: (mode & 0o777) | 0o600, flag: 'wx'})
    // Last: nothing is made below a link.
    for (const [path, {text = ''}] of ofKind(nodes, 'link')) symlinkSync(text, at(path))
    // From the inside out, as making an entry changes its folder.
    for (const [path, {kind, modifiedAt}] of nodes.toReversed()) {
      if (modifiedAt === undefined) continue
      const seconds = modifiedAt / 1000
      if (kind === 'link') lutimesSync(at(path), seconds, seconds)
      else utimesSync(at(path), seconds, seconds)
    }
  }

  /** In the order of their paths, with the folders above them; what lies below a file or a link is left out, as are paths that lead elsewhere. */
  #whole(): readonly (readonly [string, Node])[] {
    const whole = new Map<string, Node>()
    for (const [path, node] of [...this.#nodes].toSorted(([a], [b]) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1))) {
      const above = foldersAbove(path)
      if (above.some((each) => (whole.get(each)?.kind ?? 'directory') !== 'directory')) continue
      for (const each of above) if (!whole.has(each)) whole.set(each, {kind: 'directory'})
      whole.set(path, node)
    }
    return [...whole].toSorted(([a], [b]) => (a < b ? -1 : 1))
  }

  #add(path: string, node: Node): void {
    const plain = plainPath(path)
    if (plain !== undefined && plain !== '' && (this.#nodes.size < mostNodes || this.#nodes.has(plain))) this.#nodes.set(plain, node)
  }
}

/** The kernel takes 4095 bytes, and the folder comes before it. */
const longestPath = 3000

/** A kubelet's paths have some twenty; who writes more of them fills the disk with folders. */
const deepestPath = 64

/** A busy node's kubelet directory has some ten thousand. */
const mostNodes = 200_000

/** Without slashes at the ends and doubled ones; undefined when it leads elsewhere. */
function plainPath(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.')
  return parts.includes('..') ||
    path.includes('\0') ||
    parts.length > deepestPath ||
    parts.some((part) => Buffer.byteLength(part) > 255) ||
    Buffer.byteLength(path) > longestPath
    ? undefined
    : parts.join('/')
}

function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

function ofKind(nodes: readonly (readonly [string, Node])[], kind: Node['kind']): readonly (readonly [string, Node])[] {
  return nodes.filter(([, node]) => node.kind === kind)
}
