// The rows of a timeline that is to be read: each event but idle looks, and the end of a call that took its time apart from its begin.
import type {CallEvent, Event} from './event.ts'
import {eventWords} from './event-words.ts'

export interface TimelineRow {
  readonly at: number
  readonly words: string
  /** Milliseconds, of a call that ends in this row. */
  readonly took?: number
}

/** The kubelet asks these every second. */
const looks = /^(?:List\w+|PodSandboxStatus|ContainerStatus|ImageStatus|GET pod)$/

/** A call that takes longer has a row of its own for its end. */
const short = 1000

export function timelineRows(events: readonly Event[]): readonly TimelineRow[] {
  const rows: TimelineRow[] = []
  for (const event of events) {
    if (event.kind !== 'call') rows.push({at: event.at, words: eventWords(event)})
    else if (!isIdle(event)) rows.push(...callRows(event))
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
export const tookWords = ({took}: TimelineRow): string => (took === undefined || took === 0 ? '' : ` (${took / 1000} s)`)
