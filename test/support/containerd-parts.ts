// The programs that a real container runtime needs.
import {existsSync, readFileSync} from 'node:fs'
import {delimiter, dirname, join} from 'node:path'
import {builtPeers} from './built-peers.ts'

export interface Parts {
  readonly containerd: string
  readonly runc: string
  readonly ctr: string
  /** Statically linked: it is all that the images hold. */
  readonly busybox: string
  readonly ip: string
  /** The folder of the network plugins. */
  readonly cniPlugins: string
  /** The PATH on which containerd finds runc and its shim. */
  readonly path: string
}

/** Debian 12's 1.6, which still serves many nodes, or the one of test/peers. */
export type Release = 'debian' | 'newest'

const folders = [...new Set([...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin'])]
const pluginFolders = ['/usr/lib/cni', '/opt/cni/bin', '/usr/libexec/cni']

/** The parts, or the names of those that this machine lacks. */
export function findParts(): {readonly parts: Parts} | {readonly missing: readonly string[]} {
  const missing: string[] = []
  const need = (name: string, path: string | undefined) => {
    if (path === undefined) missing.push(name)
    return path ?? ''
  }
  const busybox = program('busybox')
  const parts: Parts = {
    path: folders.join(delimiter),
    containerd: need('containerd', program('containerd')),
    runc: need('runc', program('runc')),
    ctr: need('ctr', program('ctr')),
    busybox: need('a static busybox', busybox !== undefined && isStatic(busybox) ? busybox : undefined),
    ip: need('ip', program('ip')),
    cniPlugins: need(
      'network plugins',
      pluginFolders.find((folder) => existsSync(join(folder, 'bridge'))),
    ),
  }
  if (process.getuid?.() !== 0) missing.push('the rights of root')
  return missing.length === 0 ? {parts} : {missing}
}

/** @throws when a part is missing. */
export async function requireParts(release: Release): Promise<Parts> {
  const found = findParts()
  if ('missing' in found) throw new Error(`Cannot start containerd as this machine lacks ${found.missing.join(', ')}`)
  if (release === 'debian') return found.parts
  const [containerd = '', shim = '', ctr = ''] = await builtPeers('containerd', 'containerd-shim-runc-v2', 'ctr')
  return {...found.parts, containerd, ctr, path: [dirname(shim), found.parts.path].join(delimiter)}
}

function program(name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

// A dynamic program names its loader (ld-linux, ld-musl) in the first page.
function isStatic(path: string): boolean {
  return !readFileSync(path).subarray(0, 4096).includes('/ld-')
}
