// A pod of which nothing runs any more, and which no finalizer holds, goes soon.
import type {CallEvent, Event, ObjectEvent} from '../../../timeline/event.ts'
import {lastDisturbance} from '../disturbances.ts'
import type {Invariant} from '../invariant.ts'
import {stuckAfter} from '../patience.ts'
import {type Placed, type PodLife, runs} from '../pod-lives.ts'

export const stuckTerminating: Invariant = {
  name: 'stuck-terminating',
  says: 'a pod that is deleted goes within three minutes of when nothing of it runs, its grace is over and no call is kept back',
  check: (life, run) => {
    const last = life.seen.at(-1)
    if (last === undefined) return []
    const removed = last.event.type === 'DELETED'
    const until = removed ? last.event.at : run.end
    const {deletionTimestamp, finalizers = []} = metadataOf(removed ? life.seen.at(-2) : last)
    if (deletionTimestamp === undefined || finalizers.length > 0) return []
    if (life.containers.some((each) => runs(each, removed ? last.place : run.events.length))) return []
    const since = Math.max(deletionTimestamp, lastInRuntime(life, until), lastDisturbance(run.events, until))
    if (until - since <= stuckAfter) return []
    const left = life.containers.some((each) => each.removed === undefined) ? 'nothing of it runs' : 'no container of it is left'
    const how = `${removed ? 'late' : 'for good'}${isUnknown(life, run.events) ? ', a volume of it is unknown to the driver' : ''}`
    return [{how, at: since + stuckAfter, what: `the pod is Terminating ${removed ? 'too long' : 'for good'} though ${left}`}]
  },
}

interface Metadata {
  readonly deletionTimestamp?: number
  readonly finalizers?: readonly string[]
}

const metadataOf = (seen: Placed<ObjectEvent> | undefined): Metadata =>
  (seen?.event.object as {metadata: Metadata} | undefined)?.metadata ?? {}

const lastInRuntime = ({runtime}: PodLife, until: number): number =>
  runtime.reduce((last, {event: {at}}) => (at <= until ? Math.max(last, at) : last), 0)

/** Whether a driver keeps saying that there is no such volume, which the kubelet does not take for undone (kubernetes/kubernetes#135736). */
const isUnknown = ({pod}: PodLife, events: readonly Event[]): boolean =>
  events.findLast(
    (event): event is CallEvent => event.kind === 'call' && event.to === 'csi' && event.pod === pod && event.outcome !== undefined,
  )?.outcome === 'NOT_FOUND'
