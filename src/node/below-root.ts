// Paths of the host that lie below the kubelet's root. The root may be a link or a bind mount: then some sources have its other name.
import type {Snapshot} from './snapshot.ts'

type Roots = Pick<Snapshot, 'kubeletRoot' | 'kubeletRootReal'>

/** Maps a path of the host to the one below the root, '' for the root itself; undefined for what lies elsewhere. */
export function belowRoot({kubeletRoot, kubeletRootReal}: Roots): (path: string) => string | undefined {
  const roots = kubeletRootReal === undefined ? [kubeletRoot] : [kubeletRoot, kubeletRootReal]
  const prefixes = roots.map((root) => `${root}/`)
  return (path) => {
    if (roots.includes(path)) return ''
    const prefix = prefixes.find((each) => path.startsWith(each))
    return prefix === undefined ? undefined : path.slice(prefix.length)
  }
}

/** The path on the host of one below the root. */
export function onHost({kubeletRoot}: Roots, path: string): string {
  return path === '' ? kubeletRoot : `${kubeletRoot}/${path}`
}
