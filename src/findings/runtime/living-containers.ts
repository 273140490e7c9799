// Which containers that the runtime calls RUNNING do run. A record without a process is R08, and no second writer.
import {oncePer} from '../../base/once-per.ts'
import type {ContainerProcess} from '../../node/kernel/facts.ts'
import {isLiving} from '../../node/processes/process-looks.ts'
import {known, whole} from '../../node/reading.ts'
import type {ContainerLook} from '../../node/runtime/container-look.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {type Container, ContainerState} from '../../wire/gen/cri_pb.ts'
import type {Evidence} from '../finding.ts'
import {labelledUid} from './kubelets-own.ts'
import {plausible, plausibleMoment} from './runtime-moments.ts'

export interface LivingContainers {
  /** Of the kubelet's, by the pod's UID; an id that a list has twice is here once. */
  readonly byPod: ReadonlyMap<string, readonly Container[]>
  /** Milliseconds since 1970; the latest that it can be. Undefined when nothing tells. */
  startedAt(container: Container): number | undefined
  evidence(container: Container): readonly Evidence[]
}

/** Without one of these nobody can tell a container from its record. */
export const livingSources = ['runtime.container-status', 'processes'] as const

export const livingContainers: (snapshot: Snapshot) => LivingContainers = oncePer(({readings, when}) => {
  const looks = new Map((known(readings['runtime.container-status']) ?? []).map((look) => [look.id, look]))
  const allAsked = whole(readings['runtime.container-status']) !== undefined
  const processes = Map.groupBy((known(readings.processes) ?? []).filter(isLiving), ({containerId}) => containerId)
  // A pid that nobody could look up counts (a virtual machine has none), but only where every record was asked: else it may be one without.
  const lives = ({id}: Container) => {
    const look = looks.get(id)
    return processes.has(id) || isThere(look) || (allAsked && look !== undefined && look.process === undefined && !isOver(look))
  }
  const all = new Map((known(readings['runtime.containers']) ?? []).map((each) => [each.id, each]))
  const running = [...all.values()].filter((each) => each.state === ContainerState.CONTAINER_RUNNING && lives(each))
  return {
    byPod: Map.groupBy(
      running.filter((each) => labelledUid(each) !== undefined),
      (each) => labelledUid(each) ?? '',
    ),
    startedAt: ({id}) => {
      const look = looks.get(id)
      const own = look?.status && plausibleMoment(look.status.startedAt, when)
      if (own !== undefined) return own
      const first = look?.process?.state === 'there' ? look.process.startedAt : earliest(processes.get(id) ?? [])
      return first === undefined ? undefined : plausible(first, when)
    },
    evidence: (container) => [
      {source: 'runtime.containers', fact: `${container.id} is RUNNING, attempt ${container.metadata?.attempt ?? 0}`},
      ...processEvidence(container, looks.get(container.id), processes.get(container.id) ?? []),
    ],
  }
})

function isThere(look: ContainerLook | undefined): boolean {
  return look?.process?.state === 'there' && (look.process.containerId ?? look.id) === look.id
}

/** It ended between the list and the look. */
function isOver({status, outcome}: ContainerLook): boolean {
  const ended = status !== undefined && status.state !== ContainerState.CONTAINER_RUNNING
  return ended || (outcome.state === 'failed' && outcome.code === 'NOT_FOUND')
}

function earliest(processes: readonly ContainerProcess[]): number | undefined {
  return processes.reduce<number | undefined>(
    (least, {startedAt}) => (least === undefined || startedAt < least ? startedAt : least),
    undefined,
  )
}

function processEvidence({id}: Container, look: ContainerLook | undefined, [first]: readonly ContainerProcess[]): Evidence[] {
  if (look?.pid !== undefined && isThere(look))
    return [{source: 'runtime.container-status', fact: `the process ${look.pid} of ${id} is there`}]
  return first === undefined ? [] : [{source: 'processes', fact: `the process ${first.pid} is in the cgroup of ${id}`}]
}
