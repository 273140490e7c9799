// Whether a volume is in use: by pods that are to run, or that have a container that runs. One that is deleted, has ended or is gone, and has none, uses nothing,
// although the kubelet may keep its object.
import type {BoundClaim, Pod} from '../kubelet/pod.ts'
import {usedVolumes} from '../kubelet/volumes/used-volumes.ts'
import type {ContainerEvent, Event, ObjectEvent} from '../timeline/event.ts'
import {seenPod} from '../timeline/seen-pod.ts'
import type {Users} from './volume-users.ts'

export interface VolumeUse {
  /** Since when none of them uses it at a moment, but not before another; undefined when one does. */
  unusedSince(users: Users, at: number, notBefore: number): number | undefined
}

interface Use {
  readonly from: number
  /** Infinity while it goes on. */
  until: number
}

interface Life {
  readonly pod: string
  readonly volumes: ReadonlySet<string>
  /** The last one may go on. */
  readonly uses: Use[]
  readonly running: Set<string>
  isOver: boolean
}

export function volumeUse(events: readonly Event[], claims: readonly BoundClaim[]): VolumeUse {
  const volumeOf = new Map(claims.map(({namespace, name, driver, volumeHandle}) => [`${namespace}/${name}`, `${driver}^${volumeHandle}`]))
  const lives = new Map<string, Life>()
  for (const event of events) {
    if (event.kind !== 'object' && event.kind !== 'container') continue
    const life = lives.get(event.uid) ?? (event.kind === 'object' ? begun(event, volumeOf) : undefined)
    if (life === undefined) continue
    lives.set(event.uid, life)
    if (event.kind === 'object') life.isOver = isOver(event)
    else heed(life, event)
    tell(life, event.at)
  }
  const all = [...lives.values()]
  return {
    unusedSince: (users, at, notBefore) => {
      const own = all.filter(({pod, volumes}) => ('pod' in users ? pod === users.pod : volumes.has(`${users.driver}^${users.volume}`)))
      const before = own.flatMap((life) => life.uses).filter(({from}) => from <= at)
      if (before.some(({until}) => until > at)) return undefined
      return before.reduce((latest, {until}) => Math.max(latest, until), notBefore)
    },
  }
}

function begun({pod, object}: ObjectEvent, volumeOf: ReadonlyMap<string, string>): Life {
  const {metadata, spec} = object as Pod
  const names = usedVolumes({spec}).flatMap((volume) =>
    'persistentVolumeClaim' in volume ? [`${metadata.namespace}/${volume.persistentVolumeClaim.claimName}`] : [],
  )
  return {pod, volumes: new Set(names.flatMap((name) => volumeOf.get(name) ?? [])), uses: [], running: new Set(), isOver: false}
}

function isOver(event: ObjectEvent): boolean {
  if (event.type === 'DELETED') return true
  const {metadata, status} = seenPod(event)
  return metadata.deletionTimestamp !== undefined || status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

/** The sandbox has none of the pod's volumes. */
function heed({running}: Life, {what, container, id}: ContainerEvent): void {
  if (container === undefined) return
  if (what === 'started') running.add(id)
  if (what === 'exited' || what === 'removed') running.delete(id)
}

function tell({uses, running, isOver: over}: Life, at: number): void {
  const last = uses.at(-1)
  const goesOn = last?.until === Number.POSITIVE_INFINITY
  const inUse = !over || running.size > 0
  if (inUse && !goesOn) uses.push({from: at, until: Number.POSITIVE_INFINITY})
  if (!inUse && goesOn) last.until = at
}
