// The newest warning of each kind that the API server has about a pod: somebody's word, often the only one on what happens off the node.
import {formatInstant} from '../../base/instant.ts'
import type {Pod} from '../../node/pod.ts'
import type {PodEvent} from '../../node/pod-event.ts'
import {known} from '../../node/reading.ts'
import type {Snapshot} from '../../node/snapshot.ts'
import type {Evidence} from '../finding.ts'

const longest = 300

export function warningsOf({readings}: Snapshot, {uid}: Pod, reasons: readonly string[]): readonly PodEvent[] {
  const events = (known(readings['api.events']) ?? []).filter((event) => event.uid === uid && event.type === 'Warning')
  return reasons.flatMap((reason) => {
    const newest = events.filter((event) => event.reason === reason).toSorted((a, b) => (b.lastAt ?? 0) - (a.lastAt ?? 0))
    return newest.slice(0, 1)
  })
}

export function eventEvidence({reason, message, lastAt, count}: PodEvent): Evidence {
  const when = lastAt === undefined ? '' : ` at ${formatInstant(lastAt)}`
  const times = count > 1 ? `, ${count} times` : ''
  const said = message.length > longest ? `${message.slice(0, longest)}…` : message
  return {source: 'api.events', fact: `${reason}${when}${times}: ${said}`}
}
