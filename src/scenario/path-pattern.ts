// Paths as scenarios write them: below the kubelet's root, where * stands for any part of a name and ** for any names.
import {kubeletRoot} from '../kubelet/disk.ts'

export const absolute = (path: string): string => (path.startsWith('/') ? path : `${kubeletRoot}/${path}`)

export function pathMatches(pattern: string, path: string): boolean {
  const source = absolute(pattern).replace(/\*\*|\*|[.+?^${}()|[\]\\]/g, (part) =>
    part === '**' ? '.*' : part === '*' ? '[^/]*' : `\\${part}`,
  )
  return new RegExp(`^${source}$`).test(path)
}
