// Whether what became of a path is what is meant.
import type {DiskEvent} from '../../timeline/event.ts'
import {pathMatches} from '../path-pattern.ts'
import type {DiskMatcher} from '../schema/matcher.ts'

export function matchesDisk({disk, path, entry}: DiskMatcher, event: DiskEvent): boolean {
  return disk === event.what && (entry === undefined || entry === event.entry) && pathMatches(path, event.path)
}
