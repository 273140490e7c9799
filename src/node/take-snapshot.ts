// Everything that is known of a node at one moment: from a bundle, or from the sources of this one.
import {parseInstant} from '../base/instant.ts'
import type {Part} from './read-node.ts'
import type {Machine} from './runtime-source.ts'
import type {Snapshot} from './snapshot.ts'
import type {SnapshotRequest} from './snapshot-request.ts'

export interface TakenSnapshot {
  readonly snapshot: Snapshot
  readonly warnings: readonly string[]
}

/** @throws UserError for what is wrong with the request or the bundle. A broken node is no error. */
export async function takeSnapshot(request: SnapshotRequest, machine: Machine, part?: Part): Promise<TakenSnapshot> {
  const now = request.now === undefined ? undefined : parseInstant(request.now, '--now')
  const taken =
    request.from === undefined
      ? await (await import('./read-node.ts')).readNode(request, machine, part)
      : await readBundle(request.from, request.keepReplies ?? false, machine)
  return now === undefined ? taken : {...taken, snapshot: countedTo(taken.snapshot, now)}
}

/** What happened between the readings and that moment is not in them. */
export function countedTo(snapshot: Snapshot, now: number): Snapshot {
  return {...snapshot, when: now, takenAt: snapshot.takenAt ?? snapshot.when}
}

async function readBundle(path: string, keepReplies: boolean, machine: Machine): Promise<TakenSnapshot> {
  return {snapshot: await machine.openBundle(path, {keepReplies}), warnings: []}
}
