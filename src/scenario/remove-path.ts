// Somebody removes what lies on the disk, behind everybody's back.
import {UserError} from '../base/errors.ts'
import type {MemoryDisk} from '../lab/disk/memory-disk.ts'
import {pathMatches} from './path-pattern.ts'

/** With all that is in it. @throws UserError when there is no such thing */
export async function removePath(pattern: string, disk: MemoryDisk): Promise<void> {
  const found = disk.listing('/').filter(({path}) => pathMatches(pattern, path))
  if (found.length === 0) throw new UserError(`Cannot remove ${pattern} as the disk must have it: it has nothing such now`)
  for (const {path} of found) await disk.removeAll(path)
}
