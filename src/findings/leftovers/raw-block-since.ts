// Since when what a raw block volume left has been left, as far as that is proven.
import {formatInstant} from '../../base/instant.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {healingMs} from '../healing.ts'
import {missingSince, type Proof} from '../since.ts'
import type {RawBlock} from './raw-block-leftovers.ts'

/**
 * Its files are as old as the mapping: only of young ones they tell. What else tells that the pod is gone is that it has no directory, and had
 * none since any pod came or went.
 */
export function leftSince(snapshot: Snapshot, {podUid, changedAt}: RawBlock): Proof | undefined {
  if (changedAt === undefined) return undefined
  // The newest of them is among the evidence.
  if (snapshot.when - changedAt < healingMs) return {at: changedAt, evidence: []}
  const gone = podUid === undefined ? undefined : missingSince(snapshot, `pods/${podUid}`)
  if (gone === undefined || snapshot.when - gone.at < healingMs) return undefined
  if (gone.at > changedAt)
    return {at: gone.at, evidence: [{source: 'disk.entries', fact: `no pod has come or gone since ${formatInstant(gone.at)}`}]}
  return {at: changedAt, evidence: gone.evidence}
}
