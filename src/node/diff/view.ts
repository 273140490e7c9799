// A view is one group of things, from the sources that tell of them.
import type {Snapshot, SourceName} from '../snapshot.ts'
import type {Group, Thing} from './thing.ts'

export interface View {
  readonly group: Group
  /** All of them must have been read on both sides. */
  readonly sources: readonly SourceName[]
  /** It tells more of what others list: what it lacks is nothing that is gone. */
  readonly onlyChanges?: true
  things(snapshot: Snapshot, pair: Pair): readonly Thing[]
}

/** What both sides have in common. */
export interface Pair {
  /** Not known to be two nodes: boots and process ids can be compared. */
  readonly sameNode: boolean
  /** 'namespace/name' by UID, from whichever side knows it. */
  readonly podNames: ReadonlyMap<string, string>
  /** Nothing of that source is missing. */
  whole(snapshot: Snapshot, source: SourceName): boolean
}
