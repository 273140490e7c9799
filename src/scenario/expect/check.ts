// One expectation against the timeline of a run: whether it held, and why, in words.
import type {ObjectEvent} from '../../timeline/event.ts'
import {eventWords, podWords} from '../../timeline/event-words.ts'
import type {Counted, Eventually, Expectation, Last, Never, Ordered} from '../schema/expectation.ts'
import {checkDisk} from './check-disk.ts'
import {matchesSeen} from './match-watch.ts'
import {matcherWords, neverWords, seenWords} from './matcher-words.ts'
import {nearMiss} from './near-miss.ts'
import {isLater, type Occurrence} from './occurrences.ts'
import {type Checked, type RunRecord, secondsOf, since} from './run-record.ts'
import {occurrencesIn, windowOf} from './window.ts'

export function check(expectation: Expectation, record: RunRecord): Checked {
  if ('eventually' in expectation) return checkEventually(expectation, record)
  if ('never' in expectation) return checkNever(expectation, record)
  if ('ordered' in expectation) return checkOrdered(expectation, record)
  if ('count' in expectation) return checkCount(expectation, record)
  if ('onDisk' in expectation) return checkDisk(expectation, record)
  return checkLast(expectation, record)
}

function checkEventually({eventually, after, within}: Eventually, record: RunRecord): Checked {
  const window = windowOf(after === undefined ? {} : {since: after}, record)
  if (typeof window === 'string') return {held: false, why: window}
  const [first] = occurrencesIn(eventually, window, record)
  const begins = window.from.at
  if (first === undefined) return missed(neverWords(eventually), nearMiss(eventually, window, record), record)
  const late = first.at - begins
  if (within === undefined || late <= within) return {held: true, why: told(first, record), event: first.event}
  return {
    held: false,
    why: `${told(first, record)}, ${secondsOf(late)} after what it had to follow within ${secondsOf(within)}`,
    event: first.event,
  }
}

function checkNever({never, ...edges}: Never, record: RunRecord): Checked {
  const window = windowOf(edges, record)
  if (typeof window === 'string') return {held: false, why: window}
  const [first] = occurrencesIn(never, window, record)
  return first === undefined ? {held: true, why: neverWords(never)} : {held: false, why: told(first, record), event: first.event}
}

function checkOrdered({ordered, ...edges}: Ordered, record: RunRecord): Checked {
  const window = windowOf(edges, record)
  if (typeof window === 'string') return {held: false, why: window}
  const found: Occurrence[] = []
  for (const matcher of ordered) {
    const before = found.at(-1)
    const next = occurrencesIn(matcher, window, record).find((one) => before === undefined || isLater(one, before))
    if (next === undefined) {
      const where = before === undefined ? '' : ` after ${told(before, record)}`
      const from = before === undefined ? window : {...window, from: before}
      return missed(`${neverWords(matcher)}${where}`, nearMiss(matcher, from, record), record)
    }
    found.push(next)
  }
  const why = found.map((one) => told(one, record)).join(', then ')
  return {held: true, why, ...eventOf(found.at(-1))}
}

function checkCount({count: {of, min = 0, max = Number.POSITIVE_INFINITY}, ...edges}: Counted, record: RunRecord): Checked {
  const window = windowOf(edges, record)
  if (typeof window === 'string') return {held: false, why: window}
  const found = occurrencesIn(of, window, record)
  const held = found.length >= min && found.length <= max
  const times = found.length === 1 ? 'once' : `${found.length} times`
  return {held, why: `${matcherWords(of)}: ${times}${held ? '' : `, not ${rangeWords(min, max)}`}`, ...eventOf(found.at(-1))}
}

function checkLast({last, ...edges}: Last, record: RunRecord): Checked {
  const window = windowOf(edges, record)
  if (typeof window === 'string') return {held: false, why: window}
  const [seen] = occurrencesIn({watch: 'any', ...(last.pod === undefined ? {} : {pod: last.pod})}, window, record).slice(-1)
  if (seen === undefined) return {held: false, why: `a watcher never saw ${last.pod ?? 'a pod'}`}
  const event = seen.event as ObjectEvent
  const held = matchesSeen(last, event)
  const why = `${event.pod} was last seen ${since(record, seen.at)}: ${podWords(event)}${held ? '' : `, not ${seenWords(last)}`}`
  return {held, why, event}
}

const told = ({at, event}: Occurrence, record: RunRecord) => `${eventWords(event)} ${since(record, at)}`

function missed(what: string, near: Occurrence | undefined, record: RunRecord): Checked {
  return near === undefined ? {held: false, why: what} : {held: false, why: `${what}; last was ${told(near, record)}`, event: near.event}
}

const eventOf = (one: Occurrence | undefined) => (one === undefined ? {} : {event: one.event})

function rangeWords(min: number, max: number): string {
  if (min === max) return `${min}`
  return max === Number.POSITIVE_INFINITY ? `${min} or more` : `${min} to ${max}`
}
