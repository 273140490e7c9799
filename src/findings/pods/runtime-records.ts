// What the runtime has of each pod's containers, each with the look at it.
import {oncePer} from '../../base/once-per.ts'
import {known, whole} from '../../node/reading.ts'
import type {ContainerLook} from '../../node/runtime/container-look.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import {type Container, ContainerState} from '../../wire/gen/cri_pb.ts'
import {type DeadContainer, deadContainers} from '../runtime/dead-containers.ts'
import {toldMoment} from '../runtime/runtime-moments.ts'
import {uidOfContainer} from './pod-presence.ts'

export interface RuntimeRecord {
  readonly container: Container
  readonly name: string
  /** Undefined when nobody asked for its status, or the call gave none. */
  readonly look: ContainerLook | undefined
  readonly standing: Standing
  /** Milliseconds since 1970; undefined when nothing tells. */
  readonly createdAt: number | undefined
  readonly finishedAt: number | undefined
  /** Of one that has ended, as its own status tells it. */
  readonly exitCode: number | undefined
}

/**
 * `processless`: the runtime calls it running, and nothing of it lives. `unclear`: its main process is gone, and something else of it may live; or
 * the runtime says that it does not know.
 */
export type Standing = 'running' | 'processless' | 'ended' | 'created' | 'unclear'

export interface RuntimeRecords {
  ofPod(uid: string): readonly RuntimeRecord[]
  byId(id: string): RuntimeRecord | undefined
}

/** Undefined when the list of containers is not whole: what it lacks may be there. */
export const runtimeRecords: (snapshot: Snapshot) => RuntimeRecords | undefined = oncePer((snapshot) => {
  const {readings} = snapshot
  const {dead} = deadContainers(snapshot)
  const containers = whole(readings['runtime.containers'])
  if (containers === undefined) return undefined
  const looks = new Map((known(readings['runtime.container-status']) ?? []).map((look) => [look.id, look]))
  const records = containers.map((container) => recordOf(container, looks.get(container.id), dead.get(container.id)))
  const byId = new Map(records.map((record) => [record.container.id, record]))
  const byPod = Map.groupBy(records, ({container}) => uidOfContainer(container))
  return {ofPod: (uid) => byPod.get(uid) ?? [], byId: (id) => byId.get(id)}
})

function recordOf(container: Container, look: ContainerLook | undefined, dead: DeadContainer | undefined): RuntimeRecord {
  // Its own status was read after the list.
  const state = look?.status?.state ?? container.state
  const ended = state === ContainerState.CONTAINER_EXITED
  return {
    container,
    name: container.metadata?.name ?? '',
    look,
    standing: standingOf(state, dead),
    createdAt: toldMoment(container.createdAt),
    finishedAt: ended ? toldMoment(look?.status?.finishedAt ?? 0n) : undefined,
    exitCode: ended ? look?.status?.exitCode : undefined,
  }
}

function standingOf(state: ContainerState, dead: DeadContainer | undefined): Standing {
  switch (state) {
    case ContainerState.CONTAINER_RUNNING:
      if (dead === undefined) return 'running'
      return dead.proof === 'certain' ? 'processless' : 'unclear'
    case ContainerState.CONTAINER_EXITED:
      return 'ended'
    case ContainerState.CONTAINER_CREATED:
      return 'created'
    default:
      return 'unclear'
  }
}

export function newestOf(records: readonly RuntimeRecord[]): RuntimeRecord | undefined {
  return records.toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0))[0]
}
