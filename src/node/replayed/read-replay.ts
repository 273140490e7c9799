// A root that `kubelimbo replay` has laid out is read like any other; what a folder and a socket cannot give back is then put in from the bundle.
import {lstatSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {type Clock, steadyNow} from '../../base/clock.ts'
import {formatInstant} from '../../base/instant.ts'
import type {Host} from '../endpoints/host.ts'
import type {Machine} from '../runtime-source.ts'
import type {Snapshot} from '../snapshot.ts'
import type {SnapshotRequest} from '../snapshot-request.ts'
import {asOnTheNode} from './as-on-the-node.ts'
import {readReplayNote} from './replay-note.ts'

export interface Replayed {
  /** What was read, with what only the bundle has. */
  readonly mend: (seen: Snapshot) => Snapshot
  readonly request: SnapshotRequest
  readonly machine: Machine
  readonly warning: string
}

/** Undefined when --host-root names none, or a real node's. @throws UserError when its bundle cannot be read any more */
export async function replayedAt(request: SnapshotRequest, machine: Machine): Promise<Replayed | undefined> {
  const {hostRoot} = request
  if (hostRoot === undefined) return undefined
  const note = await readReplayNote(resolve(hostRoot), (path) => machine.host.readText(path))
  if (note === undefined) return undefined
  const {runtimeEndpoint, kubeletRoot, kubeletUrl, kubeconfig, kubeletLog} = note
  const bundle = await machine.openBundle(note.bundle)
  return {
    mend: (seen) =>
      asOnTheNode(seen, bundle, note.bundle, (path) => isThere(join(hostRoot, bundle.kubeletRootReal ?? bundle.kubeletRoot, path))),
    // What the user says himself wins. A log of a bundle is in UTC.
    request: {runtimeEndpoint, kubeletRoot, kubeletUrl, kubeconfig, kubeletLog, zoneOffset: 0, ...request},
    machine: {...machine, clock: shifted(machine.clock, bundle.when), host: withoutEnvironment(machine.host)},
    warning: `this is a replay of ${note.bundle}: ${bundle.node || 'a node'} as it was at ${formatInstant(bundle.when)}`,
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, {throwIfNoEntry: false}) !== undefined
}

/** The year of a line in the log, and how long ago something was, are as they were on the node. */
function shifted(clock: Clock, when: number): Clock {
  const offset = when - clock.now()
  return {
    now: () => clock.now() + offset,
    sleep: (ms, signal) => clock.sleep(ms, signal),
    steady: () => steadyNow(clock),
  }
}

/** It tells of this machine, not of the replay: KUBECONFIG, NODE_NAME. */
function withoutEnvironment(host: Host): Host {
  return {...host, env: {}, at: (root) => withoutEnvironment(host.at(root))}
}
