// Pods by their UID, as the kubelet and as the API server have them.
import {formatInstant} from '../../../base/instant.ts'
import {type ContainerState, nodeUid, type Pod} from '../../pod.ts'
import {known} from '../../reading.ts'
import {shortId} from '../../short-id.ts'
import type {Fact, Thing} from '../thing.ts'
import type {View} from '../view.ts'

export const podViews: readonly View[] = (['kubelet.pods', 'api.pods'] as const).map((source) => ({
  group: 'pods',
  sources: [source],
  things: ({readings}) => (known(readings[source]) ?? []).map(podThing),
}))

/** An id moves with each restart, and with each pod of the same name. */
export const idField = / id$/

function podThing(pod: Pod): Thing {
  const facts: Record<string, Fact> = {
    uid: nodeUid(pod),
    phase: pod.phase ?? null,
    reason: pod.reason ?? null,
    deletionTimestamp: pod.deletedAt === undefined ? null : formatInstant(pod.deletedAt),
    finalizers: pod.finalizers.length === 0 ? null : pod.finalizers.toSorted().join(', '),
    node: pod.nodeName ?? null,
  }
  for (const container of pod.containers) {
    const name = freeName(facts, `${container.kind === 'regular' ? '' : `${container.kind} `}${container.name}`)
    facts[name] = stateText(container)
    facts[`${name} ready`] = container.ready ?? null
    facts[`${name} restarts`] = container.restarts ?? null
    facts[`${name} last`] = container.last === undefined ? null : endText(container.last)
    facts[`${name} id`] = container.containerId === undefined ? null : shortId(container.containerId)
  }
  return {key: nodeUid(pod), name: `${pod.namespace}/${pod.name}`, facts}
}

/** Two containers may have one name: an empty one, or a regular and an ephemeral one of a kubelet that does not check. */
function freeName(facts: Readonly<Record<string, Fact>>, name: string): string {
  const label = `container ${name}`
  for (let time = 1; ; time++) {
    const free = time === 1 ? label : `${label} (${time})`
    if (!Object.hasOwn(facts, free)) return free
  }
}

function stateText(container: ContainerState): string {
  return container.state === 'terminated'
    ? `terminated ${endText(container)}`
    : [container.state, container.reason].filter((word) => word !== undefined).join(' ')
}

function endText({reason, exitCode}: Pick<ContainerState, 'reason' | 'exitCode'>): string {
  return [reason, exitCode === undefined ? undefined : `(${exitCode})`].filter((word) => word !== undefined).join(' ')
}
