// Which findings are about a volume: about itself, about a pod's own part of it, about its path, or about its driver.
import type {Snapshot} from '../../node/snapshot.ts'
import type {Finding} from '../finding.ts'

interface Named {
  readonly volume?: string
  readonly driver?: string
  readonly handle?: string
  readonly podUid?: string
}

/** @returns the codes of what is so named and lies at a path below the kubelet's root, sorted. */
export function volumeCodes({kubeletRoot}: Snapshot, findings: readonly Finding[]): (named: Named, path: string) => readonly string[] {
  const byKey = new Map<string, Set<string>>()
  for (const {code, subject} of findings) {
    for (const key of keysOf(subject)) byKey.set(key, (byKey.get(key) ?? new Set<string>()).add(code))
  }
  return ({volume, driver, handle, podUid}, path) => {
    const at = `${kubeletRoot}/${path}`
    const keys = [at, `driver ${driver}`, `${driver}^${handle} `, `${driver}^${handle} ${podUid}`, `${podUid}/${volume}`]
    return [...new Set(keys.flatMap((key) => [...(byKey.get(key) ?? [])]))].sort()
  }
}

function keysOf({kind, path, driver, handle, name, podUid}: Finding['subject']): string[] {
  return [
    ...(path === undefined ? [] : [path]),
    ...(kind === 'Driver' && driver !== undefined ? [`driver ${driver}`] : []),
    ...(kind === 'Volume' && driver !== undefined && handle !== undefined ? [`${driver}^${handle} ${podUid ?? ''}`] : []),
    ...(kind === 'Volume' && name !== undefined && podUid !== undefined ? [`${podUid}/${name}`] : []),
  ]
}
