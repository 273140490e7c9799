// Since when no socket has registered a driver that volumes need, as far as that is proven.
import {kubeletDirs} from '../../kubelet/traces/kubelet-dirs.ts'
import {whole} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {DetectContext} from '../detector.ts'
import {lastStart} from '../healing.ts'
import {changeOf, later, type Proof} from '../since.ts'
import type {UnregisteredDriver} from './unregistered-drivers.ts'

/**
 * No registration socket came or went after the directory last changed. A kubelet that starts has registered nobody, so that one which started
 * a moment ago has not missed the driver for longer.
 */
export function unregisteredSince(context: DetectContext, {users, doubtful}: UnregisteredDriver, young: boolean): Proof | undefined {
  const {snapshot} = context
  const start = young ? lastStart(context) : undefined
  const registry = doubtful.length === 0 ? registryChange(snapshot) : undefined
  const need = earliestNeed(snapshot, users)
  const known = [start, registry, need].filter((proof) => proof !== undefined)
  if (start === undefined && (registry === undefined || need === undefined)) return undefined
  const at = known.reduce(later).at
  return {at, evidence: [start, registry].flatMap((proof) => proof?.evidence ?? []).concat(need?.at === at ? need.evidence : [])}
}

/** The kubelet looks for sockets in its subdirectories, too. */
function registryChange(snapshot: Snapshot): Proof | undefined {
  const below = 'plugins_registry'
  const entries = whole(snapshot.readings['disk.entries']) ?? []
  const dirs = entries.filter(({path, type}) => type === 'directory' && (path === below || path.startsWith(`${below}/`)))
  const changes = dirs.flatMap(({path, modifiedAt}) => changeOf(path, modifiedAt) ?? [])
  return changes.length === 0 || changes.length < dirs.length ? undefined : changes.reduce(later)
}

/** The volume that has needed it for the longest. */
function earliestNeed(snapshot: Snapshot, users: UnregisteredDriver['users']): Proof | undefined {
  const dirs = kubeletDirs(whole(snapshot.readings['disk.entries']) ?? [])
  const needs = users.flatMap(({path}) => changeOf(path, dirs.get(path)?.modifiedAt) ?? [])
  return needs.length === 0 ? undefined : needs.reduce((a, b) => (b.at < a.at ? b : a))
}
