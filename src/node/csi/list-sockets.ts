// Which names in the kubelet's plugin directories may be sockets of plugins. A dot at the start of a name hides it, from the kubelet and from us.
import type {Dirent} from 'node:fs'
import {readdir} from 'node:fs/promises'
import type {PlaceOf} from './look-at-socket.ts'

export interface Listing {
  /** Absolute, on the host, in the order of their bytes. */
  readonly paths: readonly string[]
  /** Why there may be more. */
  readonly incomplete?: string
}

/** Far above any node; whoever makes more of them is not asked for all. */
const most = 256
const deepest = 16

/**
 * Sockets of whatever name below plugins_registry, as the kubelet takes them (plugin_watcher.go, traversePluginDir): a link is followed, but not
 * into a directory, and it is the name of the socket that must not start with a dot. Besides, what is only named like a socket.
 * @throws the system's error when the directory itself cannot be read.
 */
export async function listRegistrySockets(directory: string, placeOf: PlaceOf): Promise<Listing> {
  const paths: string[] = []
  const unread: string[] = []
  const walk = async (path: string, depth: number): Promise<void> => {
    for (const entry of await entriesOf(path, placeOf)) {
      const each = `${path}/${entry.name}`
      if (entry.isDirectory()) {
        if (depth === deepest) unread.push(`${each} lies too deep`)
        else await walk(each, depth + 1).catch((error) => unread.push(unreadable(each, error)))
      } else if (!entry.name.startsWith('.') && (entry.isSocket() || entry.isSymbolicLink() || isNamedSocket(entry.name))) paths.push(each)
    }
  }
  await walk(directory, 1)
  return listing(paths, unread)
}

/**
 * `plugins/<name>/*.sock`, where drivers put theirs by convention.
 * @throws the system's error when the directory itself cannot be read.
 */
export async function listPluginSockets(directory: string, placeOf: PlaceOf): Promise<Listing> {
  const paths: string[] = []
  const unread: string[] = []
  for (const entry of await entriesOf(directory, placeOf)) {
    // The kubelet's own part, with the staging paths.
    if (entry.name.startsWith('.') || entry.name === 'kubernetes.io') continue
    if (!entry.isDirectory() && !entry.isSymbolicLink()) continue
    const each = `${directory}/${entry.name}`
    try {
      const names = (await entriesOf(each, placeOf)).map(({name}) => name)
      paths.push(...names.filter((name) => !name.startsWith('.') && isNamedSocket(name) && !isDra(name)).map((name) => `${each}/${name}`))
    } catch (error) {
      const {code} = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'ENOTDIR') unread.push(unreadable(each, error))
    }
  }
  return listing(paths, unread)
}

async function entriesOf(directory: string, placeOf: PlaceOf): Promise<readonly Dirent[]> {
  return await readdir(await placeOf(directory), {withFileTypes: true})
}

export function isNamedSocket(path: string): boolean {
  return path.endsWith('.sock')
}

/** k8s.io/dynamic-resource-allocation, kubeletplugin: drivers of devices have the same directories, and these names in them. */
function isDra(name: string): boolean {
  return /^dra(?:-.*)?\.sock$/.test(name)
}

function listing(paths: string[], unread: readonly string[]): Listing {
  const sorted = paths.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  const reasons = sorted.length > most ? [...unread, `no more than ${most} sockets are looked at: there are ${sorted.length}`] : unread
  return {paths: sorted.slice(0, most), ...(reasons.length > 0 && {incomplete: reasons.join('; ')})}
}

function unreadable(path: string, error: unknown): string {
  return `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`
}
