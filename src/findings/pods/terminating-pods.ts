// Pods that should be gone, and of which nothing runs any more: P01.
import {oncePer} from '../../base/once-per.ts'
import type {ContainerState} from '../../node/pod.ts'
import type {DetectContext} from '../detector.ts'
import {uncertainVolumes} from '../uncertain/uncertain-volume.ts'
import {type PodView, type SeenPod, seenPods} from './pod-views.ts'
import {type RefusedUpdates, refusedUpdates} from './refused-updates.ts'
import {type RuntimeRecord, runtimeRecords} from './runtime-records.ts'

export interface TerminatingPod {
  readonly seen: SeenPod
  /** deletionTimestamp, which already includes the grace. */
  readonly deletedAt: number
  readonly records: readonly RuntimeRecord[]
  /** Said to run by the first of the views that says so, and not running at the runtime. */
  readonly frozen: Frozen | undefined
  readonly refused: RefusedUpdates | undefined
  /** Nothing of it has run since then; undefined when nothing proves that. */
  readonly since: number | undefined
  /** Milliseconds for which it should have been gone with nothing running, as far as anybody can tell. */
  readonly ageMs: number | undefined
}

export interface Frozen {
  readonly source: PodView['source']
  readonly containers: readonly ContainerState[]
}

const overdueMs = 60_000

/** Empty when the runtime's list of containers is not whole. */
export const terminatingPods: (context: DetectContext) => readonly TerminatingPod[] = oncePer((context) => {
  const {snapshot} = context
  const records = runtimeRecords(snapshot)
  if (records === undefined) return []
  return seenPods(snapshot).flatMap((seen): TerminatingPod[] => {
    // A static pod ends with its file, whatever becomes of its mirror.
    const deletions = seen.views.flatMap(({pod}) => pod.deletedAt ?? [])
    if (deletions.length === 0 || seen.views.some(({pod}) => pod.staticUid !== undefined)) return []
    const deletedAt = Math.max(...deletions)
    const own = records.ofPod(seen.uid)
    if (snapshot.when - deletedAt <= overdueMs || own.some(({standing}) => standing === 'running' || standing === 'unclear')) return []
    const frozen = frozenOf(seen)
    // What somebody else's finalizer holds is no longer the kubelet's to end, once it has said how all containers ended and has undone its volumes.
    if (frozen === undefined && seen.views.some(({pod}) => pod.finalizers.length > 0) && !hasVolumes(context, seen.uid)) return []
    const {namespace, name, createdAt = 0} = seen.pod
    const refused = refusedUpdates(snapshot, `${namespace}/${name}`, createdAt)
    const from = Math.max(deletedAt, createdAt)
    return [{seen, deletedAt, records: own, frozen, refused, ...ageOf({seen, from, records: own, frozen, now: snapshot.when})}]
  })
})

/** Still published, or staged or published unheard. */
function hasVolumes(context: DetectContext, uid: string): boolean {
  const uncertain = (['staged', 'published'] as const).flatMap((what) => uncertainVolumes(context, what))
  return (
    (context.belief?.volumes.some(({podUid, published}) => podUid === uid && published !== false) ?? false) ||
    uncertain.some(({subject}) => subject.podUid === uid)
  )
}

function frozenOf({views}: SeenPod): Frozen | undefined {
  for (const {source, pod} of views) {
    const containers = pod.containers.filter(({state}) => state === 'running')
    if (containers.length > 0) return {source, containers}
  }
  return undefined
}

interface AgeQuestion extends Pick<TerminatingPod, 'seen' | 'frozen' | 'records'> {
  /** When it should have been gone: not before it was made, whatever a clock that was set says. */
  readonly from: number
  readonly now: number
}

/** Containers may take longer than their grace, so the last of them to end counts. */
function ageOf({seen, from, records, frozen, now}: AgeQuestion): Pick<TerminatingPod, 'since' | 'ageMs'> {
  const states = seen.views.flatMap(({pod}) => pod.containers)
  const last = Math.max(from, ...states.flatMap(endsOf), ...records.flatMap(({finishedAt}) => finishedAt ?? []))
  const told = new Set(states.flatMap((state) => (endsOf(state).length > 0 ? (state.terminatedId ?? state.containerId ?? []) : [])))
  const untold = records.some((each) => each.standing === 'ended' && each.finishedAt === undefined && !told.has(each.container.id))
  // The kubelet looks each second, so its word is worth an age; the API server may hear of an end late.
  const byApiAlone = frozen?.source === 'api.pods' && seen.views.length === 1
  if (untold || byApiAlone) return {since: undefined, ageMs: undefined}
  const vanished =
    frozen?.source === 'kubelet.pods' ||
    records.some(({standing}) => standing === 'processless') ||
    states.some(({state, finishedAt}) => state === 'terminated' && finishedAt === undefined)
  return {since: vanished ? undefined : last, ageMs: now - last}
}

function endsOf({state, finishedAt, last}: ContainerState): readonly number[] {
  const own = state === 'terminated' ? finishedAt : undefined
  return [...(own === undefined ? [] : [own]), ...(last?.finishedAt === undefined ? [] : [last.finishedAt])]
}
