// An event in kubectl's table. Upstream: printEvent in pkg/printers/internalversion/printers.go (1.37)
import {age} from './human-duration.ts'
import {type Json, type JsonObject, number, object, text} from './json.ts'

export const eventColumns = ['Last Seen', 'Type', 'Reason', 'Object', '+Subobject', '+Source', 'Message', '+First Seen', '+Count', '+Name']

export function eventCells(event: JsonObject, now: number): readonly Json[] {
  const {kind, name, fieldPath} = object(event, 'involvedObject')
  const first = age(text(event, 'firstTimestamp') ?? text(event, 'eventTime'), now)
  const last = text(event, 'lastTimestamp')
  const series = event.series === undefined || event.series === null ? undefined : object(event, 'series')
  const component = text(event, 'source', 'component') || text(event, 'reportingComponent') || ''
  const host = text(event, 'source', 'host') || text(event, 'reportingInstance')
  const target = String(kind ?? '').toLowerCase()
  const count = series === undefined ? number(event, 'count') || 1 : (number(series, 'count') ?? 0)
  return [
    series === undefined ? (last === undefined ? first : age(last, now)) : age(text(series, 'lastObservedTime'), now),
    text(event, 'type') ?? '',
    text(event, 'reason') ?? '',
    name ? `${target}/${name}` : target,
    fieldPath ?? '',
    host ? `${component}, ${host}` : component,
    (text(event, 'message') ?? '').trim(),
    first,
    String(count),
    text(event, 'metadata', 'name') ?? '',
  ]
}
