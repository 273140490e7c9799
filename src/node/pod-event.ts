// A core/v1 Event about a pod.
import {fieldsOf, integerOf, listItems, onlySet, textOf, timeOf} from './kube-list.ts'

export interface PodEvent {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly reason: string
  readonly message: string
  readonly type: string
  /** Milliseconds since 1970, of its last occurrence. */
  readonly lastAt?: number
  readonly count: number
}

/**
 * The events about pods of a v1 or events.k8s.io/v1 EventList, in its order. Those about other objects are left out.
 * @throws Error when the document is no EventList.
 */
export function parseEvents(json: unknown): PodEvent[] {
  return listItems(json, 'Event').flatMap((item) => parseEvent(item) ?? [])
}

function parseEvent(item: unknown): PodEvent | undefined {
  const event = fieldsOf(item)
  const about = fieldsOf(event?.involvedObject) ?? fieldsOf(event?.regarding)
  if (event === undefined || about?.kind !== 'Pod') return undefined
  const series = fieldsOf(event.series)
  return onlySet<PodEvent>({
    namespace: textOf(about.namespace) ?? '',
    name: textOf(about.name) ?? '',
    uid: textOf(about.uid) ?? '',
    reason: textOf(event.reason) ?? '',
    message: textOf(event.message) ?? textOf(event.note) ?? '',
    type: textOf(event.type) ?? '',
    lastAt: lastTime([series?.lastObservedTime, event.lastTimestamp, event.deprecatedLastTimestamp, event.eventTime, event.firstTimestamp]),
    count: integerOf(series?.count) ?? integerOf(event.count) ?? integerOf(event.deprecatedCount) ?? 1,
  })
}

function lastTime(times: readonly unknown[]): number | undefined {
  const known = times.map(timeOf).filter((time) => time !== undefined)
  return known.length === 0 ? undefined : Math.max(...known)
}
