// What a disk holds after some of its events: those of a timeline tell all that came and went.
import type {DiskEvent} from './event.ts'

export interface DiskState {
  /** Absolute paths, in no order, of all but what lies below mount points. */
  readonly paths: ReadonlySet<string>
  readonly mounted: ReadonlySet<string>
}

export function diskState(events: Iterable<DiskEvent>): DiskState {
  const paths = new Set<string>()
  /** What each mount covers, the uppermost last. */
  const covered = new Map<string, string[][]>()
  const takeBelow = (path: string): string[] => {
    const below = [...paths].filter((each) => each.startsWith(`${path}/`))
    for (const each of below) paths.delete(each)
    return below
  }
  for (const {what, path} of events) {
    if (what === 'made') for (const each of withFolders(path)) paths.add(each)
    else if (what === 'removed') {
      takeBelow(path)
      paths.delete(path)
    } else if (what === 'mounted') covered.set(path, [...(covered.get(path) ?? []), takeBelow(path)])
    else {
      takeBelow(path)
      const mounts = covered.get(path) ?? []
      for (const each of mounts.at(-1) ?? []) paths.add(each)
      if (mounts.length > 1) covered.set(path, mounts.slice(0, -1))
      else covered.delete(path)
    }
  }
  return {paths, mounted: new Set(covered.keys())}
}

function withFolders(path: string): readonly string[] {
  const names = path.split('/').slice(1)
  return names.map((_, index) => `/${names.slice(0, index + 1).join('/')}`)
}
