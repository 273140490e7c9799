// A path with its links resolved. By hand, a component at a time: below another root than ours ('/proc/PID/root'), the kernel would
// follow an absolute link out of it.
import type {Looked} from './protocol.ts'

export type Resolved = {readonly path: string} | {readonly path: string; readonly code: string}

const mostLinks = 40

/** @param look lstat of a path of the host. */
export async function resolvePath(path: string, look: (path: string) => Promise<Looked>): Promise<Resolved> {
  let resolved = ''
  let links = 0
  const left = path.split('/').toReversed()
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      resolved = resolved.slice(0, Math.max(0, resolved.lastIndexOf('/')))
      continue
    }
    const next = `${resolved}/${name}`
    const looked = await look(next)
    if ('code' in looked) return {path: next, code: looked.code}
    const {target} = looked.facts
    if (target === undefined) resolved = next
    else if (++links > mostLinks) return {path: next, code: 'ELOOP'}
    else {
      if (target.startsWith('/')) resolved = ''
      left.push(...target.split('/').toReversed())
    }
  }
  return {path: resolved === '' ? '/' : resolved}
}
