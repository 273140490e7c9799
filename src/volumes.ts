// Every volume of a node's pods and every orphan, with where it stands.
import {UserError} from './base/errors.ts'
import {formatInstant} from './base/instant.ts'
import {type VolumeRow, volumeRows} from './findings/volumes/volume-rows.ts'
import {profileNearest, profileOf} from './kubelet/profiles.ts'
import type {Machine} from './node/runtime-source.ts'
import type {Snapshot} from './node/snapshot.ts'
import type {SnapshotRequest} from './node/snapshot-request.ts'
import {takeSnapshot} from './node/take-snapshot.ts'

export interface VolumesRequest extends SnapshotRequest {
  /** A modelled version; default: the one nearest to the kubelet's. */
  readonly profile?: string
  /** Only of this driver. */
  readonly driver?: string
  /** Only of this pod, NAMESPACE/NAME. */
  readonly pod?: string
  /** 'kubelimbo 0.1.0'. */
  readonly tool: string
}

export interface VolumesReport {
  readonly metadata: {readonly node: string; readonly when: string; readonly tool: string}
  readonly volumes: readonly VolumeRow[]
  readonly warnings: readonly string[]
  /** Why volumes may be missing. */
  readonly incomplete?: string
}

/** @throws UserError for what is wrong with the request or the bundle. */
export async function volumes(request: VolumesRequest, machine: Machine): Promise<VolumesReport> {
  const asked = request.profile === undefined ? undefined : profileOf(request.profile)
  const wanted = selection(request)
  const {snapshot, warnings} = await takeSnapshot(request, machine)
  const rows = volumeRows(snapshot, asked ?? profileNearest(snapshot.kubeletVersion)) ?? []
  const incomplete = whyIncomplete(snapshot)
  return {
    metadata: {node: snapshot.node, when: formatInstant(snapshot.when), tool: request.tool},
    volumes: rows.filter(wanted),
    warnings,
    ...(incomplete !== undefined && {incomplete}),
  }
}

function selection({driver, pod}: VolumesRequest): (row: VolumeRow) => boolean {
  const [namespace, name, ...rest] = pod?.split('/') ?? []
  if (pod !== undefined && (!namespace || !name || rest.length > 0))
    throw new UserError(`Cannot select the pod as --pod must be NAMESPACE/NAME: it is '${pod}'`)
  return (row) =>
    (driver === undefined || row.driver === driver) && (pod === undefined || (row.namespace === namespace && row.pod === name))
}

/** Without the directories there is nothing to list; without the rest a column says that it is unknown. */
function whyIncomplete({readings}: Snapshot): string | undefined {
  for (const name of ['disk.entries', 'disk.vol-data'] as const) {
    const reading = readings[name]
    const why = reading.state === 'read' ? reading.incomplete : reading.why
    if (why !== undefined) return `${name}: ${why}`
  }
  return undefined
}
