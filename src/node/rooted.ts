// Paths below a root that is not ours: a mounted host, or /proc/PID/root. The kernel would follow an absolute link in there out of it
// (kubelet-client-current.pem is one), so links are followed here, as whoever lives in that root would.
import {dirname} from 'node:path'
import type {Host} from './endpoints/host.ts'
import {followLinks} from './follow-links.ts'

/**
 * The path with every link resolved, still without the root before it. A part that is not there stays as it is.
 * @throws the system's error
 */
export function realPath(host: Host, root: string, path: string): Promise<string> {
  return followLinks(path, (each) => host.locate(`${root}${each}`), host.reach)
}

/** Where to open a path of that root, by the same host. @throws the system's error */
export async function within(host: Host, root: string, path: string): Promise<string> {
  return root === '' && host.locate('/') === '/' ? path : `${root}${await realPath(host, root, path)}`
}

/** The same, with its last part left as it is: whoever opens it can refuse a link. @throws the system's error */
export async function withinButLast(host: Host, root: string, path: string): Promise<string> {
  const folder = await within(host, root, dirname(path))
  return `${folder.replace(/\/$/, '')}${path.slice(path.lastIndexOf('/'))}`
}
