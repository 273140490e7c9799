// Processes in the cgroups of pods whose container the runtime does not list: it has forgotten them, and nobody will ever stop them.
import {formatInstant} from '../../base/instant.ts'
import {oncePer} from '../../base/once-per.ts'
import type {ContainerProcess} from '../../node/kernel/facts.ts'
import {isLiving} from '../../node/processes/process-looks.ts'
import {whole} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Evidence} from '../finding.ts'

export interface ForgottenContainer {
  readonly podUid: string
  readonly id: string
  /** The oldest first. */
  readonly pids: readonly number[]
  /** Milliseconds since 1970, of the oldest process. */
  readonly startedAt: number
  readonly evidence: Evidence
}

/** Empty where one of the three lists is not whole: what a list lacks proves nothing then. */
export const forgottenContainers: (snapshot: Snapshot) => readonly ForgottenContainer[] = oncePer(({readings}) => {
  const processes = whole(readings.processes)
  const containers = whole(readings['runtime.containers'])
  const sandboxes = whole(readings['runtime.sandboxes'])
  if (processes === undefined || containers === undefined || sandboxes === undefined) return []
  const listed = new Set([...containers, ...sandboxes].map(({id}) => id))
  const placed = processes.filter(isLiving).flatMap((process) => placeOf(process) ?? [])
  // Another runtime's containers, and those of a node that is a container itself, lie elsewhere or have other names.
  const families = new Set(placed.flatMap(({id, family}) => (listed.has(id) ? [family] : [])))
  const forgotten = placed.filter(({id, family}) => !listed.has(id) && families.has(family))
  return [...Map.groupBy(forgotten, ({id}) => id)].flatMap(([id, all]): ForgottenContainer[] => {
    const sorted = all.toSorted((a, b) => a.process.startedAt - b.process.startedAt || a.process.pid - b.process.pid)
    const [first] = sorted
    if (first === undefined) return []
    const {podUid, process} = first
    const pids = sorted.map((each) => each.process.pid)
    const fact = `the process ${process.pid}, of ${formatInstant(process.startedAt)}, is in ${process.cgroup}`
    return [{podUid, id, pids, startedAt: process.startedAt, evidence: {source: 'processes', fact}}]
  })
})

interface Placed {
  readonly process: ContainerProcess
  readonly podUid: string
  readonly id: string
  /** Where the cgroups of pods are, and the runtime's word before the id. */
  readonly family: string
}

/** Undefined for what is not a pod's container: an agent that somebody put there, a pod's own cgroup. */
function placeOf(process: ContainerProcess): Placed | undefined {
  const {cgroup, podUid, containerId: id} = process
  const pods = /[^/]*kubepods/.exec(cgroup)
  if (pods === null || podUid === undefined || id === undefined) return undefined
  const before = cgroup.slice(0, cgroup.indexOf(id, pods.index))
  const word = /(?:cri-containerd|crio|docker)(?=[-:]$)/.exec(before)?.[0] ?? ''
  return {process, podUid, id, family: `${cgroup.slice(0, pods.index)} ${word}`}
}
