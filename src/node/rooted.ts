// Paths below a root that is not ours: a mounted host, or /proc/PID/root. The kernel would follow an absolute link in there out of it
// (kubelet-client-current.pem is one), so links are followed here, as whoever lives in that root would.
import {dirname} from 'node:path'
import type {Host} from './endpoints/host.ts'

/** As many as the kernel follows. */
const mostLinks = 40

/** The path with every link resolved, still without the root before it. A part that is not there stays as it is. @throws Error for a loop. */
export async function realPath(host: Host, root: string, path: string): Promise<string> {
  const ahead = path.split('/')
  let real: string[] = []
  for (let links = 0; ahead.length > 0; ) {
    const part = ahead.shift() ?? ''
    if (part === '' || part === '.') continue
    if (part === '..') {
      real.pop()
      continue
    }
    const target = await linkAt(host, `${root}/${[...real, part].join('/')}`)
    if (target === undefined) {
      real.push(part)
      continue
    }
    if (++links > mostLinks) throw new Error(`${path} is a link that leads round and round`)
    if (target.startsWith('/')) real = []
    ahead.unshift(...target.split('/'))
  }
  return `/${real.join('/')}`
}

async function linkAt(host: Host, path: string): Promise<string | undefined> {
  try {
    return await host.readLink(path)
  } catch {
    return undefined
  }
}

/** Where to open a path of that root, by the same host. */
export async function within(host: Host, root: string, path: string): Promise<string> {
  return root === '' && host.locate('/') === '/' ? path : `${root}${await realPath(host, root, path)}`
}

/** The same, with its last part left as it is: whoever opens it can refuse a link. */
export async function withinButLast(host: Host, root: string, path: string): Promise<string> {
  const folder = await within(host, root, dirname(path))
  return `${folder.replace(/\/$/, '')}${path.slice(path.lastIndexOf('/'))}`
}
