// Containers that the runtime calls running and whose main process is not there any more.
import {oncePer} from '../../base/once-per.ts'
import type {ContainerProcess} from '../../node/kernel/facts.ts'
import {isLiving} from '../../node/processes/process-looks.ts'
import {known, whole} from '../../node/reading.ts'
import type {ContainerLook, ProcessLook} from '../../node/runtime/container-look.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {ContainerState} from '../../wire/gen/cri_pb.ts'
import {isPlainProcess} from './plain-process.ts'
import {toldMoment} from './runtime-moments.ts'

export interface DeadContainer {
  readonly id: string
  readonly pid: number
  readonly how: ProcessLook
  /**
   * 'certain': nothing lives in its cgroup either, so that it counts as not running whatever the runtime says. 'doubtful': something does, or
   * nobody could tell. 'young': it started a moment ago, or nothing tells when.
   */
  readonly proof: 'certain' | 'doubtful' | 'young'
  /** What lives in its cgroup, as far as that is known. */
  readonly others: readonly ContainerProcess[]
}

export interface DeadContainers {
  /** By container id. */
  readonly dead: ReadonlyMap<string, DeadContainer>
  /** Running ones whose process may be anything: a virtual machine's, or not told. */
  readonly unknown: readonly string[]
  /** How many the runtime calls running. */
  readonly running: number
}

/** The runtime's record of an exit, and of a start, may come that much later than the process itself. */
export const exitMs = 60_000
/** Between the runtime's word on a start and the kernel's. */
const startToleranceMs = 60_000

export const deadContainers: (snapshot: Snapshot) => DeadContainers = oncePer((snapshot) => {
  const looks = known(snapshot.readings['runtime.container-status']) ?? []
  const running = looks.filter(({status}) => status?.state === ContainerState.CONTAINER_RUNNING)
  const handlers = handlersByContainer(snapshot)
  const told = new Map(looks.map((look) => [look.id, look]))
  const living = livingByContainer(snapshot)
  const allSeen = whole(snapshot.readings.processes) !== undefined
  const dead = new Map<string, DeadContainer>()
  const unknown: string[] = []
  for (const look of running) {
    const {id, pid, runtime, process} = look
    if (pid === undefined || process === undefined || !isPlainProcess(runtime, handlers.get(id))) {
      unknown.push(id)
      continue
    }
    if (isOwn(look, process, told)) continue
    const others = living.get(id) ?? []
    const age = ageOf(look, snapshot.when)
    const young = age === undefined || age < exitMs
    dead.set(id, {id, pid, how: process, proof: young ? 'young' : allSeen && others.length === 0 ? 'certain' : 'doubtful', others})
  }
  return {dead, unknown, running: running.length}
})

function isOwn(look: ContainerLook, process: ProcessLook, told: ReadonlyMap<string, ContainerLook>): boolean {
  if (process.state !== 'there') return false
  const {containerId, startedAt} = process
  if (containerId === look.id) return true
  // On a node that is a container itself, a cgroup that we cannot read more of names that one.
  if (containerId !== undefined && told.has(containerId)) return false
  const started = startOf(look)
  return started === undefined || startedAt - started < startToleranceMs || !isSteady(started, told)
}

/**
 * After a step of the clock every process seems to have started at another time than its container. Not so when one that was there before
 * still agrees with its own.
 */
function isSteady(since: number, told: ReadonlyMap<string, ContainerLook>): boolean {
  return [...told.values()].some((look) => {
    const started = startOf(look)
    const {process} = look
    if (started === undefined || started > since || process?.state !== 'there' || process.containerId !== look.id) return false
    return Math.abs(process.startedAt - started) < startToleranceMs
  })
}

/** Milliseconds since 1970; undefined when the runtime tells nothing that can be. */
function startOf({status}: ContainerLook): number | undefined {
  if (status === undefined) return undefined
  const {startedAt, createdAt} = status
  return toldMoment(startedAt) ?? toldMoment(createdAt)
}

function ageOf(look: ContainerLook, when: number): number | undefined {
  const started = startOf(look)
  return started === undefined ? undefined : when - started
}

function livingByContainer(snapshot: Snapshot): ReadonlyMap<string, readonly ContainerProcess[]> {
  const living = (known(snapshot.readings.processes) ?? []).filter(isLiving)
  return Map.groupBy(living, ({containerId}) => containerId ?? '')
}

function handlersByContainer({readings}: Snapshot): ReadonlyMap<string, string> {
  const handlers = new Map((known(readings['runtime.sandboxes']) ?? []).map(({id, runtimeHandler}) => [id, runtimeHandler]))
  const containers = known(readings['runtime.containers']) ?? []
  return new Map(
    containers.flatMap(({id, podSandboxId}) => {
      const handler = handlers.get(podSandboxId)
      return handler === undefined ? [] : [[id, handler]]
    }),
  )
}
