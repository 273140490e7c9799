// Lists pod sandboxes as crictl does, and says of each what the kubelet thinks and what we think.
import {podStandings, type Standings} from './findings/pods/standing.ts'
import {profileOf} from './kubelet/profiles.ts'
import type {SandboxFilter} from './node/cri.ts'
import {select} from './node/cri-selection.ts'
import {filteredBy, type ListRequest, labelsOf, leftOut, nowOf, selectionOf, stateOf} from './node/list-request.ts'
import type {Pod} from './node/pod.ts'
import {read} from './node/reading.ts'
import {listOf, type Machine, openRuntimeSource} from './node/runtime-source.ts'
import {type PodSandbox, PodSandboxState} from './wire/gen/cri_pb.ts'

export interface PodsReport {
  readonly sandboxes: readonly PodSandbox[]
  readonly withoutSandbox: readonly Pod[]
  readonly standings: Standings
  readonly now: number
  readonly warnings: readonly string[]
  /** Why there may be more. */
  readonly incomplete?: string
}

const states = {ready: PodSandboxState.SANDBOX_READY, notready: PodSandboxState.SANDBOX_NOTREADY}

/** @throws UserError */
export async function pods(request: ListRequest, machine: Machine): Promise<PodsReport> {
  const selection = selectionOf(request)
  const labels = labelsOf(request)
  const state = stateOf(request, states)
  const now = nowOf(request)
  const profile = request.profile === undefined ? undefined : profileOf(request.profile)
  const filter: SandboxFilter = {...(request.id && {id: request.id}), ...(labels && {labels}), ...(state !== undefined && {state})}
  await using source = await openRuntimeSource(request, machine)
  const reading = await source.lists.sandboxes(filter)
  const listed = listOf(reading, 'pods')
  const {items, withoutMetadata} = select(listed, selection, ({metadata}) => metadata?.namespace ?? '')
  const incomplete = reading.state === 'read' ? reading.incomplete : undefined
  const standings = podStandings(source.snapshot({'runtime.sandboxes': read(listed, incomplete ?? filteredBy(request))}), profile)
  // A pod's labels are not known here, and the other filters ask for what only a sandbox has.
  const showEmpty = !request.id && !request.state && !request.latest && !request.last && !labels
  return {
    sandboxes: items,
    withoutSandbox: showEmpty
      ? standings.withoutSandbox.filter(
          (pod) => (selection.name?.test(pod.name) ?? true) && (selection.namespace?.test(pod.namespace) ?? true),
        )
      : [],
    standings,
    now: now ?? source.when,
    warnings: [...source.warnings, ...leftOut(withoutMetadata, 'pods')],
    ...(incomplete !== undefined && {incomplete}),
  }
}
