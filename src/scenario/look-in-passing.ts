// Somebody who runs `kubelimbo check` on a lab's node while a scenario is played there: it looks, and nothing else is changed by it.
import {detect} from '../findings/detect.ts'
import {detectors} from '../findings/detectors.ts'
import type {Finding} from '../findings/finding.ts'
import {confirmed, secondLookMs, youngOf} from '../findings/look-again.ts'
import {profileNearest} from '../kubelet/profiles.ts'
import type {LabNode} from '../lab/lab-node.ts'
import {firstOccurrence} from './first-occurrence.ts'
import type {Moment} from './schema/expectation.ts'
import {noticedWithin} from './wait-for.ts'

export interface Look {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly findings: readonly Finding[]
}

export interface Watched {
  /** The same node, whose time goes through the look. */
  readonly node: LabNode
  /** Undefined when its moment did not come. */
  readonly look: () => Look | undefined
}

interface LookOptions {
  readonly start: number
  readonly end: number
  /** Absent, or an event that does not come: in time before the end for a second look. */
  readonly at?: Moment
}

export function lookInPassing(node: LabNode, {start, end, at}: LookOptions): Watched {
  const last = Math.max(start, end - secondLookMs)
  const due = dueOf(node, start, last, at)
  let look: Look | undefined
  let again: Again | undefined
  let over = false

  const step = () => {
    if (look === undefined) {
      if (!due.isNow()) return
      const first = detectionOf(node)
      look = {at: node.now(), findings: first.detection.findings}
      again = againOf(node, first)
      over = again === undefined
    } else if (again !== undefined && node.now() >= again.at) {
      look = {...look, findings: again.confirm()}
      over = true
    }
  }
  const run = async (until: number): Promise<void> => {
    while (!over && node.now() < until) {
      await node.run(Math.min(until, again?.at ?? due.next()))
      step()
    }
    await node.run(until)
  }
  return {node: {...node, run}, look: () => look}
}

interface Due {
  isNow(): boolean
  /** When to ask again. */
  next(): number
}

function dueOf({timeline, now}: LabNode, start: number, last: number, at: Moment | undefined): Due {
  if (at === undefined || typeof at === 'number') {
    const moment = at === undefined ? last : start + at
    return {isNow: () => now() >= moment, next: () => moment}
  }
  const occurred = firstOccurrence(at, timeline, 0)
  return {isNow: () => now() >= last || occurred() !== undefined, next: () => Math.min(last, now() + noticedWithin)}
}

/** As `check` does it: with the kubelet that the node says it has. */
function detectionOf(node: LabNode) {
  const snapshot = node.snapshot()
  const profile = profileNearest(snapshot.kubeletVersion)
  return {snapshot, detection: detect(snapshot, profile, detectors)}
}

interface Again {
  readonly at: number
  confirm(): readonly Finding[]
}

/** What may be work in progress is looked at once more, some seconds later. */
function againOf(node: LabNode, {snapshot, detection}: ReturnType<typeof detectionOf>): Again | undefined {
  const young = youngOf(detection.findings, snapshot.when, detectors)
  if (young.length === 0) return undefined
  return {at: node.now() + secondLookMs, confirm: () => confirmed(detection, young, detectionOf(node).detection).findings}
}
