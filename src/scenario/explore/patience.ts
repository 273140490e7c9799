// How long a history runs: until nothing more can come of it.
import type {Rule} from '../../faults/rule.ts'
import type {LabNode} from '../../lab/lab-node.ts'
import {start} from '../play.ts'
import {keyOf} from '../pods.ts'
import type {Step} from '../schema/step.ts'
import {lastDisturbance} from './disturbances.ts'
import type {History} from './history.ts'

/** A pod that is Terminating that long with nothing left of it, and nothing under way, stays so: two rounds of the slowest loops of the kubelet. */
export const stuckAfter = 180_000
/** The deadline of most calls. */
const callDeadline = 120_000
/** Garbage collection, a resync and a batch. */
const slowLoops = 100_000
/** What is seen of a pod that nobody waits for. */
const look = 25_000

type Parts = Omit<History, 'until' | 'seed'>

/** Pauses between tries that grow, while a driver is away or at work. */
const patientTries = 120_000

const lastStep = (steps: readonly Step[]): number => steps.reduce((last, step) => Math.max(last, dueOf(step)), 0)

const dueOf = ({at = 0, plus = 0, within = 0, after}: Step): number => at + plus + (after === undefined ? 0 : within + 5000)

/** How long the answers that the rules keep back may take. */
function heldFor(rules: readonly Rule[]): number {
  return rules.reduce((sum, {fault: {plan}, limit = 10}) => {
    const {before, reply} = plan
    const kept = reply.kind === 'hold' ? Math.min(reply.ms, callDeadline) : 0
    return sum + Math.min(before + kept, callDeadline) * limit
  }, 0)
}

function graceOf({pods}: Parts): number {
  return pods.reduce((most, {spec}) => Math.max(most, spec.terminationGracePeriodSeconds ?? 30), 0) * 1000
}

/** Milliseconds from the start. */
export function longestRun(parts: Parts): number {
  const most =
    lastStep(parts.steps) +
    graceOf(parts) +
    Math.min(heldFor(parts.rules), 3 * callDeadline) +
    slowLoops +
    stuckAfter +
    (parts.claims.length > 0 ? patientTries : 0)
  return Math.ceil(most / 10_000) * 10_000
}

/** The node, whose run to the end is over as soon as all pods are gone, or are there only as nobody deletes them or finalizers hold them. */
export function impatient(node: LabNode, history: History): LabNode {
  const end = start + history.until
  const held = history.rules.some(({fault}) => fault.plan.reply.kind === 'hold') ? heldFor(history.rules) : 0
  const enough = start + lastStep(history.steps) + graceOf(history) + Math.min(held, callDeadline) + look
  // Pods whose end is worth waiting for.
  const awaited = new Set(history.pods.filter((pod) => isDeleted(keyOf(pod), history) && !staysHeld(keyOf(pod), history)).map(keyOf))
  const alive = new Set<string>()
  let next = 0
  const volumesAreDone = volumesDone(node, history)
  const allDone = (): boolean => {
    const {events} = node.timeline
    for (; next < events.length; next++) {
      const event = events[next]
      if (event?.kind !== 'object') continue
      if (event.type === 'DELETED') alive.delete(event.pod)
      else alive.add(event.pod)
    }
    if (alive.size === 0) return volumesAreDone()
    return node.now() >= enough && [...alive].every((pod) => !awaited.has(pod))
  }
  return {
    ...node,
    now: node.now,
    run: async (until) => {
      if (until < end) return node.run(until)
      while (node.now() < end) {
        await node.run(Math.min(node.now() + 1000, end))
        if (allDone()) return
      }
    },
  }
}

/** Asked when no pod is there: nothing of their volumes is left, or has moved for so long that it will not. */
function volumesDone(node: LabNode, {claims, drivers, steps}: History): () => boolean {
  if (claims.length === 0) return () => true
  const allSteps = start + lastStep(steps)
  let since: number | undefined
  return () => {
    if (node.now() < allSteps) return false
    since ??= node.now()
    const volumes = drivers.flatMap(({name}) => node.drivers.get(name)?.volumes() ?? [])
    const {events} = node.timeline
    const isOpen = events.some((event) => event.kind === 'call' && event.to === 'csi' && event.endedAt === undefined)
    if (isOpen) return false
    if (volumes.every(({stagedAt, publishedAt}) => stagedAt === undefined && publishedAt.length === 0)) return true
    return node.now() - Math.max(since, lastDisturbance(events, node.now())) > stuckAfter + 5000
  }
}

const isDeleted = (key: string, {steps}: Parts): boolean => steps.some((step) => 'delete' in step && step.delete.pod === key)

const staysHeld = (key: string, {pods, steps}: Parts): boolean =>
  pods.some((pod) => keyOf(pod) === key && pod.metadata.finalizers !== undefined) &&
  !steps.some((step) => 'removeFinalizers' in step && step.removeFinalizers === key)
