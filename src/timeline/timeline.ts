// The record of one run. Those who act write into it; nobody reads it to decide what to do.
import type {BeliefEvent, CallEvent, ContainerEvent, DiskEvent, Event, LogEvent, ObjectEvent, StepEvent} from './event.ts'

type New<E extends Event> = Omit<E, 'kind' | 'at'>

export interface Timeline {
  /** In the order in which they began. */
  readonly events: readonly Event[]
  /** The event itself, for the caller to fill in its end. */
  call(event: Omit<New<CallEvent>, 'id'>): CallEvent
  object(event: New<ObjectEvent>): void
  container(event: New<ContainerEvent>): void
  disk(event: New<DiskEvent>): void
  log(event: New<LogEvent>): void
  belief(event: New<BeliefEvent>): void
  step(event: New<StepEvent>): void
}

/** @param now of the clock that the run goes by */
export function timeline(now: () => number): Timeline {
  const events: Event[] = []
  let calls = 0
  const add = <E extends Event>(event: E): E => {
    events.push(event)
    return event
  }
  return {
    events,
    call: (event) => add<CallEvent>({kind: 'call', at: now(), id: ++calls, ...event}),
    object: (event) => add<ObjectEvent>({kind: 'object', at: now(), ...event}),
    container: (event) => add<ContainerEvent>({kind: 'container', at: now(), ...event}),
    disk: (event) => add<DiskEvent>({kind: 'disk', at: now(), ...event}),
    log: (event) => add<LogEvent>({kind: 'log', at: now(), ...event}),
    belief: (event) => add<BeliefEvent>({kind: 'belief', at: now(), ...event}),
    step: (event) => add<StepEvent>({kind: 'step', at: now(), ...event}),
  }
}
