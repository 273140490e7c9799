// A source of evidence: whether it would be read here, how, or why not and how to get it.
import type {Reading} from '../reading.ts'
import type {SourceName} from '../snapshot.ts'

export interface SourceLook {
  readonly source: SourceName
  readonly seen: boolean
  /** The address or the file and the identity; or why it is not seen. */
  readonly why: string
  /** What makes it seen. */
  readonly hint?: string
}

export function lookOf(source: SourceName, reading: Reading<unknown>, how: string | undefined, hint?: string): SourceLook {
  if (reading.state === 'read' && reading.incomplete === undefined) return {source, seen: true, why: how ?? ''}
  const why = reading.state === 'read' ? (reading.incomplete ?? '') : reading.why
  return {source, seen: false, why, ...(hint !== undefined && {hint})}
}
