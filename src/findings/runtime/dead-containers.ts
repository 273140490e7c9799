import type {DetectContext} from '../detector.ts'

export function deadContainers(_context: DetectContext): ReadonlySet<string> {
  return new Set()
}
