// Containers of which the status of their pod and the runtime's list cannot both be right now: P02.
import {oncePer} from '../../base/once-per.ts'
import {type ContainerState, isOver, type Pod} from '../../node/pod.ts'
import type {DetectContext} from '../detector.ts'
import {justStarted} from '../healing.ts'
import {type PodView, type SeenPod, seenPods, statusLagMs} from './pod-views.ts'
import {newestOf, type RuntimeRecord, type RuntimeRecords, runtimeRecords} from './runtime-records.ts'

export interface IdMismatch {
  readonly seen: SeenPod
  readonly container: string
  /** The worst first. */
  readonly views: readonly MismatchView[]
}

export interface MismatchView {
  readonly source: PodView['source']
  /** `gone`: the runtime does not list it. `replaced`: another one of the name runs. `ended`: it does not run. `alive`: it runs, though it is said to have ended. */
  readonly kind: 'gone' | 'replaced' | 'ended' | 'alive'
  /** The id in the status. */
  readonly id: string
  /** What the runtime has instead. */
  readonly record: RuntimeRecord | undefined
  /** When the one that the status names has ended, where the runtime tells. */
  readonly endedAt?: number
  /** Milliseconds since 1970; undefined when nothing proves since when. */
  readonly since: number | undefined
  /** The kubelet may not have come to it yet. */
  readonly young: boolean
}

export const youngMs = 60_000

export const idMismatches: (context: DetectContext) => readonly IdMismatch[] = oncePer((context) => {
  const {snapshot} = context
  const records = runtimeRecords(snapshot)
  if (records === undefined) return []
  const started = justStarted(context)
  return seenPods(snapshot).flatMap((seen) => {
    // A pod that goes is P01's to judge, one that has ended is P04's.
    if (seen.views.some(({pod}) => pod.deletedAt !== undefined || isOver(pod))) return []
    const found = seen.views.flatMap(({source, pod}) =>
      pod.containers.flatMap((state) => {
        const view = mismatchOf(state, {source, pod}, {uid: seen.uid, records, now: snapshot.when, started})
        return view === undefined ? [] : [{container: state.name, view}]
      }),
    )
    return [...Map.groupBy(found, ({container}) => container)].map(([container, own]): IdMismatch => {
      const views = own.map(({view}) => view).toSorted((a, b) => Number(a.young) - Number(b.young))
      return {seen, container, views}
    })
  })
})

interface Surroundings {
  readonly uid: string
  readonly records: RuntimeRecords
  readonly now: number
  /** A kubelet that starts takes its statuses from the API server. */
  readonly started: boolean
}

function mismatchOf(state: ContainerState, {source, pod}: PodView, around: Surroundings): MismatchView | undefined {
  const {uid, records, now, started} = around
  // kubectl debug adds ephemeral containers to pods that know nothing of them.
  if (state.kind === 'ephemeral') return undefined
  const found = state.state === 'running' ? runningElsewhere(state, uid, records) : stillAlive(state, records)
  if (found === undefined) return undefined
  // As old as it is for sure: a container that started after one list was made is missing from it.
  const age = now - found.since
  if (age < (source === 'kubelet.pods' ? statusLagMs : youngMs)) return undefined
  return {...found, source, since: found.kind === 'gone' ? undefined : found.since, young: age < youngMs || started || isBusy(pod, state)}
}

type Found = Pick<MismatchView, 'kind' | 'id' | 'record' | 'endedAt'> & {readonly since: number}

/** Said to run. */
function runningElsewhere({name, containerId: id, startedAt}: ContainerState, uid: string, records: RuntimeRecords): Found | undefined {
  if (id === undefined) return undefined
  const own = records.byId(id)
  if (own !== undefined && own.standing !== 'ended') return undefined
  const other = newestOf(records.ofPod(uid).filter((each) => each.name === name && each.standing === 'running' && each.container.id !== id))
  if (other !== undefined) {
    // Where both ran side by side, the status was true until its own one ended.
    const since = own === undefined ? other.createdAt : latest(other.createdAt, own.finishedAt)
    const ended = own?.finishedAt === undefined ? {} : {endedAt: own.finishedAt}
    return since === undefined ? undefined : {kind: 'replaced', id, record: other, since, ...ended}
  }
  if (own === undefined) return startedAt === undefined ? undefined : {kind: 'gone', id, record: undefined, since: startedAt}
  return own.finishedAt === undefined ? undefined : {kind: 'ended', id, record: own, since: own.finishedAt}
}

function latest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.max(a, b)
}

/** Said to have ended, itself or before the present one. */
function stillAlive({state, terminatedId, finishedAt, last}: ContainerState, records: RuntimeRecords): Found | undefined {
  const own = state === 'terminated' ? {id: terminatedId, at: finishedAt} : {id: last?.containerId, at: last?.finishedAt}
  const record = own.id === undefined ? undefined : records.byId(own.id)
  // A list alone may be older than the status.
  if (own.id === undefined || own.at === undefined || record?.standing !== 'running' || record.look?.status === undefined) return undefined
  return {kind: 'alive', id: own.id, record, since: own.at}
}

/** While the kubelet pulls an image or runs a postStart hook for one container, it writes no status for the others. */
function isBusy({containers}: Pod, {name}: ContainerState): boolean {
  return containers.some((other) => other.name !== name && other.kind !== 'ephemeral' && other.state === 'waiting')
}
