// A pod of which nothing runs any more, and which no finalizer holds, goes soon.
import type {Event, ObjectEvent} from '../../../timeline/event.ts'
import type {Invariant, Run} from '../invariant.ts'
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
    const since = Math.max(deletionTimestamp, lastInRuntime(life, until), lastDisturbance(run, until))
    if (until - since <= stuckAfter) return []
    const left = life.containers.some((each) => each.removed === undefined) ? 'nothing of it runs' : 'no container of it is left'
    const how = removed ? 'late' : 'for good'
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

/** What was done from outside, or the end of a call that a rule had a part in. */
function lastDisturbance({events}: Run, until: number): number {
  return events.reduce((last, event) => Math.max(last, disturbedAt(event, until)), 0)
}

function disturbedAt(event: Event, until: number): number {
  if (event.kind === 'step') return event.at
  if (event.kind !== 'call' || event.fault === undefined || event.at > until) return 0
  return Math.min(event.endedAt ?? until, until)
}
