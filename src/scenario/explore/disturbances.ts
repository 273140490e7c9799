// The last moment at which something from outside had a part in what went on: a step, or a call that a rule or a slow driver kept.
import type {Event} from '../../timeline/event.ts'

/** A driver that takes that long for a call keeps its caller waiting. */
const slow = 5000

/** At that moment; 0 when there was nothing. */
export const lastDisturbance = (events: readonly Event[], until: number): number =>
  events.reduce((last, event) => Math.max(last, disturbedAt(event, until)), 0)

function disturbedAt(event: Event, until: number): number {
  if (event.kind === 'step') return event.at
  if (event.kind !== 'call' || event.at > until) return 0
  const {to, fault, at, endedAt = until} = event
  return fault !== undefined || (to === 'csi' && endedAt - at > slow) ? Math.min(endedAt, until) : 0
}
