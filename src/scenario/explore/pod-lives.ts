// The timeline by pods: of each life of a pod what a watcher saw, what the runtime recorded and what the kubelet asked for, in order.
import type {CallEvent, ContainerEvent, Event, ObjectEvent} from '../../timeline/event.ts'
import {type SeenContainer, seenPod} from '../../timeline/seen-pod.ts'

/** An event with its place in the timeline: of two at one moment the first was before the second. */
export interface Placed<E extends Event> {
  readonly event: E
  readonly place: number
}

export interface ContainerLife {
  readonly id: string
  readonly name: string
  /** Places in the timeline. */
  started?: number
  ended?: number
  removed?: number
  exitCode?: number
}

export interface PodLife {
  readonly pod: string
  readonly uid: string
  readonly seen: Placed<ObjectEvent>[]
  readonly runtime: Placed<ContainerEvent>[]
  readonly containers: ContainerLife[]
  /** The kubelet's own requests to remove the object. */
  readonly deletes: Placed<CallEvent>[]
}

export function podLives(events: readonly Event[]): readonly PodLife[] {
  const lives = new Map<string, PodLife>()
  const containers = new Map<string, ContainerLife>()
  const lifeOf = (pod: string, uid: string): PodLife => {
    let life = lives.get(uid)
    if (life === undefined) {
      life = {pod, uid, seen: [], runtime: [], containers: [], deletes: []}
      lives.set(uid, life)
    }
    return life
  }
  for (const [place, event] of events.entries()) {
    if (event.kind === 'object') lifeOf(event.pod, event.uid).seen.push({event, place})
    else if (event.kind === 'container') {
      const life = lifeOf(event.pod, event.uid)
      life.runtime.push({event, place})
      if (event.container !== undefined) record(event, place, life, containers)
    } else if (event.kind === 'call' && event.method === 'DELETE pod' && event.pod !== undefined) {
      lifeOf(event.pod, `${event.request.uid}`).deletes.push({event, place})
    }
  }
  return [...lives.values()]
}

function record(
  {id, container: name = '', what, exitCode}: ContainerEvent,
  place: number,
  life: PodLife,
  known: Map<string, ContainerLife>,
) {
  let container = known.get(id)
  if (container === undefined) {
    container = {id, name}
    known.set(id, container)
    life.containers.push(container)
  }
  if (what === 'started') container.started = place
  if (what === 'removed') container.removed = place
  if (what === 'exited' || what === 'start-failed') {
    container.ended = place
    if (exitCode !== undefined) container.exitCode = exitCode
  }
}

/** At that place in the timeline. */
export function runs({started, ended, removed}: ContainerLife, place: number): boolean {
  if (started === undefined || started > place) return false
  return !(ended !== undefined && ended <= place) && !(removed !== undefined && removed <= place)
}

export function containersSeen({event}: Placed<ObjectEvent>): readonly SeenContainer[] {
  const {status} = seenPod(event)
  return [...status.initContainerStatuses, ...status.containerStatuses]
}

/** The runtime's id in 'lab://<id>'. */
export const plainId = (containerID: string | undefined): string | undefined => containerID?.replace(/^.*:\/\//, '')
