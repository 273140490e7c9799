// What a takeover must know of a node to leave kube-system alone.
import type {Machine} from './node/runtime-source.ts'
import type {SnapshotRequest} from './node/snapshot-request.ts'
import {takeSnapshot} from './node/take-snapshot.ts'
import {type KnownNames, knownNames} from './proxy/stand/known-names.ts'

/** Of a broken node what it says. @throws UserError for what is wrong with the request */
export async function injectNames(request: SnapshotRequest, machine: Machine): Promise<KnownNames> {
  const {snapshot} = await takeSnapshot(request, machine)
  return knownNames(snapshot)
}
