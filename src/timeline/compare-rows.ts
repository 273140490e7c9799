// The rows of a timeline that is to be read: each event but idle looks, and the end of a call that took its time apart from its begin.
import type {CallEvent, Event} from './event.ts'
import {eventWords} from './event-words.ts'

export interface TimelineRow {
  readonly at: number
  readonly words: string
  /** Milliseconds, of a call that ends in this row. */
  readonly took?: number
  /** Of a line that the log says again and again: how often, and when for the last time. */
  readonly again?: {readonly times: number; readonly until: number}
}

/** The kubelet asks these every second. */
const looks = /^(?:List\w+|PodSandboxStatus|ContainerStatus|ImageStatus|GET \w+)$/

/** A call that takes longer has a row of its own for its end. */
const short = 1000

/** A line of the log that comes again within that time is told of in the row of the first. */
const steady = 5000

export function timelineRows(events: readonly Event[]): readonly TimelineRow[] {
  const rows: TimelineRow[] = []
  const said = new Map<string, number>()
  for (const event of events) {
    const words = event.kind === 'call' ? '' : eventWords(event)
    const index = event.kind === 'log' ? said.get(words) : undefined
    const first = index === undefined ? undefined : rows[index]
    if (index !== undefined && first !== undefined && event.at - (first.again?.until ?? first.at) <= steady) {
      rows[index] = {...first, again: {times: (first.again?.times ?? 1) + 1, until: event.at}}
    } else if (event.kind !== 'call') {
      if (event.kind === 'log') said.set(words, rows.length)
      rows.push({at: event.at, words})
    } else if (!isIdle(event)) rows.push(...callRows(event))
  }
  // Ends stand with their calls until here; sort() keeps the order of what is equal.
  return rows.sort((a, b) => a.at - b.at)
}

/** Nothing is learnt of a look that was answered as ever. */
const isIdle = ({method, outcome, fault}: CallEvent): boolean => outcome === 'OK' && fault === undefined && looks.test(method)

function callRows(call: CallEvent): readonly TimelineRow[] {
  const {at, endedAt, outcome} = call
  const words = eventWords(call)
  if (endedAt === undefined) return [{at, words: `${words} …`}]
  const took = endedAt - at
  const ended = `${words} -> ${outcome}`
  if (took <= short) return [{at, words: ended, took}]
  return [
    {at, words: `${words} …`},
    {at: endedAt, words: ended, took},
  ]
}

/** What is shown after the words; it is not compared. */
export function rowNote({took, again}: TimelineRow): string {
  const repeated = again === undefined ? '' : ` (${again.times} times until ${(again.until / 1000).toFixed(3)})`
  return took === undefined || took === 0 ? repeated : ` (${took / 1000} s)${repeated}`
}
