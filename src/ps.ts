// Lists containers as crictl does, and says of each one's pod what the kubelet thinks and what we think.

import {UserError} from './base/errors.ts'
import {exitCodes} from './base/exit-codes.ts'
import {podStandings, type Standings} from './findings/pods/standing.ts'
import {profileOf} from './kubelet/profiles.ts'
import type {ContainerFilter, RuntimeLists} from './node/cri.ts'
import {podLabel, select} from './node/cri-selection.ts'
import {filteredBy, type ListRequest, labelsOf, leftOut, nowOf, selectionOf, stateOf} from './node/list-request.ts'
import {type Reading, read} from './node/reading.ts'
import {listOf, type Machine, openRuntimeSource} from './node/runtime-source.ts'
import {type Container, ContainerState} from './wire/gen/cri_pb.ts'

export interface PsRequest extends ListRequest {
  /** All states; else only running containers. */
  readonly all: boolean
  readonly podId?: string
  readonly image?: string
}

export interface PsReport {
  readonly containers: readonly Container[]
  readonly standings: Standings
  readonly now: number
  readonly warnings: readonly string[]
  /** Why there may be more. */
  readonly incomplete?: string
}

const states = {
  created: ContainerState.CONTAINER_CREATED,
  running: ContainerState.CONTAINER_RUNNING,
  exited: ContainerState.CONTAINER_EXITED,
  unknown: ContainerState.CONTAINER_UNKNOWN,
}

/** @throws UserError */
export async function ps(request: PsRequest, machine: Machine): Promise<PsReport> {
  const selection = selectionOf(request)
  const now = nowOf(request)
  const profile = request.profile === undefined ? undefined : profileOf(request.profile)
  const filter = filterOf(request)
  await using source = await openRuntimeSource(request, machine)
  const reading = await source.lists.containers(filter)
  const listed = listOf(reading, 'containers')
  const incomplete = reading.state === 'read' ? reading.incomplete : undefined
  const ofImage = request.image ? await withImage(listed, request.image, source.lists) : listed
  const {items, withoutMetadata} = select(ofImage, selection, (container) => podLabel(container, 'namespace'))
  const filtered = filteredBy(request) ?? (filter.state === undefined ? undefined : 'only running containers')
  return {
    containers: items,
    standings: podStandings(source.snapshot({'runtime.containers': read(listed, incomplete ?? filtered)}), profile),
    now: now ?? source.when,
    warnings: [...source.warnings, ...leftOut(withoutMetadata, 'containers')],
    ...(incomplete !== undefined && {incomplete}),
  }
}

/** -l and -n look at all states, whatever --state says. */
function filterOf(request: PsRequest): ContainerFilter {
  const asked = stateOf(request, states)
  const labels = labelsOf(request)
  const newest = request.latest || (request.last ?? 0) > 0
  const state = newest ? undefined : (asked ?? (request.all ? undefined : ContainerState.CONTAINER_RUNNING))
  return {
    ...(request.id && {id: request.id}),
    ...(request.podId && {sandboxId: request.podId}),
    ...(state !== undefined && {state}),
    ...(labels && {labels}),
  }
}

/** Two names of one image have the same id at the runtime; each name is asked for once. */
async function withImage(containers: readonly Container[], image: string, lists: RuntimeLists): Promise<readonly Container[]> {
  const names = new Set([image, ...containers.map((container) => container.image?.image ?? '')])
  const ids = new Map(await Promise.all([...names].map(async (name) => [name, idOf(await lists.imageId(name))] as const)))
  const wanted = ids.get(image)
  return wanted === undefined ? [] : containers.filter((container) => ids.get(container.image?.image ?? '') === wanted)
}

function idOf(reading: Reading<string | undefined>): string | undefined {
  if (reading.state === 'read') return reading.value
  throw new UserError(`Cannot filter by --image as the runtime must tell which image a name stands for: ${reading.why}`, {
    exit: exitCodes.blind,
  })
}
