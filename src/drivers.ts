// Lists the CSI drivers of a node: who is registered, who answers, and whose volumes are here.
import {formatInstant} from './base/instant.ts'
import {type Driver, joinDrivers} from './node/csi/join-drivers.ts'
import type {Reading} from './node/reading.ts'
import type {Machine} from './node/runtime-source.ts'
import type {Snapshot} from './node/snapshot.ts'
import type {SnapshotRequest} from './node/snapshot-request.ts'
import {takeSnapshot} from './node/take-snapshot.ts'

export interface DriversView {
  readonly items: readonly Driver[]
  readonly warnings: readonly string[]
  /** Why there may be more, or more to say of these. */
  readonly incomplete?: string
}

export interface DriversRequest extends SnapshotRequest {
  /** 'kubelimbo 0.1.0'. */
  readonly tool: string
}

export interface DriversReport extends DriversView {
  readonly metadata: {readonly node: string; readonly when: string; readonly tool: string}
}

const sources = ['csi.registrations', 'csi.drivers', 'disk.vol-data'] as const

export function drivers({readings}: Snapshot): DriversView {
  const unseen = sources.flatMap((name) => {
    const why = whyUnseen(readings[name])
    return why === undefined ? [] : [`${name}: ${why}`]
  })
  return {
    items: joinDrivers(readings),
    warnings: uncounted(readings['disk.vol-data']),
    ...(unseen.length > 0 && {incomplete: unseen.join('; ')}),
  }
}

/** @throws UserError for what is wrong with the request or the bundle. */
export async function listDrivers({tool, ...request}: DriversRequest, machine: Machine): Promise<DriversReport> {
  const {snapshot, warnings} = await takeSnapshot(request, machine)
  const view = drivers(snapshot)
  const metadata = {node: snapshot.node, when: formatInstant(snapshot.when), tool}
  return {...view, metadata, warnings: [...warnings, ...view.warnings]}
}

function whyUnseen(reading: Reading<unknown>): string | undefined {
  return reading.state === 'read' ? reading.incomplete : reading.why
}

function uncounted(reading: Snapshot['readings']['disk.vol-data']): readonly string[] {
  const files = reading.state === 'read' ? reading.value : []
  const unreadable = files.filter(({data}) => 'unreadable' in data || !data.driverName).length
  if (unreadable === 0) return []
  return [`${unreadable} of ${files.length} vol_data.json files name no driver or cannot be read: their volumes are not counted`]
}
