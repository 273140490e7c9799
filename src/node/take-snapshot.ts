// Everything that is known of a node at one moment: from a bundle, or from the sources of this one.
import {parseInstant} from '../base/instant.ts'
import type {NodeRequest} from './node-request.ts'
import type {Machine, RuntimeRequest} from './runtime-source.ts'
import type {Snapshot} from './snapshot.ts'

export interface SnapshotRequest extends RuntimeRequest, NodeRequest {
  /** The moment that ages are counted to, RFC 3339; default: when the readings were taken. */
  readonly now?: string
  /** Milliseconds. A source that has not answered by then is unseen, and costs nothing else. */
  readonly deadlineMs: number
  /** Keeps the raw replies in the readings, for a bundle. */
  readonly keepReplies?: boolean
}

export interface TakenSnapshot {
  readonly snapshot: Snapshot
  readonly warnings: readonly string[]
}

/** @throws UserError for what is wrong with the request or the bundle. A broken node is no error. */
export async function takeSnapshot(request: SnapshotRequest, machine: Machine): Promise<TakenSnapshot> {
  const now = request.now === undefined ? undefined : parseInstant(request.now, '--now')
  const taken =
    request.from === undefined
      ? await (await import('./read-node.ts')).readNode(request, machine)
      : await readBundle(request.from, request.keepReplies ?? false, machine)
  return now === undefined ? taken : {...taken, snapshot: {...taken.snapshot, when: now}}
}

async function readBundle(path: string, keepReplies: boolean, machine: Machine): Promise<TakenSnapshot> {
  return {snapshot: await machine.openBundle(path, {keepReplies}), warnings: []}
}
