// The kubelet removes the object of a pod only when no container of it runs. What the API server removes by itself is none of the kubelet's doing: a pod whose
// phase is terminal goes as soon as a client deletes it. That the phase was terminal too early shows in other invariants.
import type {ObjectEvent} from '../../../timeline/event.ts'
import type {Invariant} from '../invariant.ts'
import {type Placed, type PodLife, runs} from '../pod-lives.ts'

export const removedWhileRunning: Invariant = {
  name: 'removed-while-running',
  says: 'the kubelet removes no object of a pod while a container of it runs',
  check: (life) => {
    const removal = kubeletsRemoval(life)
    if (removal === undefined) return []
    const running = life.containers.find((each) => runs(each, removal.place))
    if (running === undefined) return []
    const {name} = running
    return [
      {how: 'by the kubelet', at: removal.event.at, container: name, what: `the kubelet removes the object while container ${name} runs`},
    ]
  },
}

/** What a watcher saw of it. */
export const kubeletsRemoval = (life: PodLife): Placed<ObjectEvent> | undefined =>
  life.seen.find((seen, index) => removes(seen, life.seen[index - 1]) && isTheKubelets(seen, life))

interface Metadata {
  readonly metadata: {readonly deletionGracePeriodSeconds?: number}
}

const graceOf = ({event}: Placed<ObjectEvent>): number | undefined => (event.object as Metadata).metadata.deletionGracePeriodSeconds

/** Or would, if no finalizer held it. */
const removes = (seen: Placed<ObjectEvent>, before: Placed<ObjectEvent> | undefined): boolean =>
  seen.event.type === 'DELETED' || (graceOf(seen) === 0 && before !== undefined && graceOf(before) !== 0)

const isTheKubelets = ({event, place}: Placed<ObjectEvent>, {deletes}: PodLife): boolean =>
  deletes.some((call) => call.place < place && (call.event.endedAt === undefined || call.event.endedAt >= event.at))
