// The rows of a timeline that is to be read: each event, and the end of a call that took its time apart from its begin.
import type {CallEvent, Event} from './event.ts'
import {eventWords} from './event-words.ts'

export interface TimelineRow {
  readonly at: number
  readonly words: string
}

export function timelineRows(events: readonly Event[]): readonly TimelineRow[] {
  const rows: TimelineRow[] = []
  for (const event of events) {
    if (event.kind === 'call') rows.push(...callRows(event))
    else rows.push({at: event.at, words: eventWords(event)})
  }
  // Ends stand with their calls until here; sort() keeps the order of what is equal.
  return rows.sort((a, b) => a.at - b.at)
}

function callRows(call: CallEvent): readonly TimelineRow[] {
  const {at, endedAt, outcome} = call
  const words = eventWords(call)
  if (endedAt === undefined) return [{at, words: `${words} …`}]
  if (endedAt === at) return [{at, words: `${words} -> ${outcome}`}]
  return [
    {at, words: `${words} …`},
    {at: endedAt, words: `${words} -> ${outcome}`},
  ]
}
