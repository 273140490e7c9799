// A pod in kubectl's table. Upstream: printPod in pkg/printers/internalversion/printers.go (1.37)
import {readInstant} from '../../base/instant.ts'
import {age, humanDuration} from './human-duration.ts'
import {at, type Json, type JsonObject, number, object, objects, text} from './json.ts'

export const podColumns = ['Name', 'Ready', 'Status', 'Restarts', 'Age', '+IP', '+Node', '+Nominated Node', '+Readiness Gates']

export function podCells(pod: JsonObject, now: number): readonly Json[] {
  const {reason, restarts, lastRestart, ready} = summary(pod)
  const containers = objects(pod, 'spec', 'containers').length + objects(pod, 'spec', 'initContainers').filter(isSidecar).length
  const ago = restarts > 0 && lastRestart !== undefined ? ` (${humanDuration(now - lastRestart)} ago)` : ''
  return [
    text(pod, 'metadata', 'name') ?? '',
    `${ready}/${containers}`,
    reason,
    `${restarts}${ago}`,
    age(text(pod, 'metadata', 'creationTimestamp'), now),
    text(objects(pod, 'status', 'podIPs')[0], 'ip') || '<none>',
    text(pod, 'spec', 'nodeName') || '<none>',
    text(pod, 'status', 'nominatedNodeName') || '<none>',
    readinessGates(pod),
  ]
}

/** Ended pods are grey in some terminals. */
export function podRowConditions(pod: JsonObject): JsonObject {
  const phase = text(pod, 'status', 'phase')
  if (phase !== 'Succeeded' && phase !== 'Failed') return {}
  const message = phase === 'Succeeded' ? 'The pod has completed successfully.' : 'The pod failed.'
  return {conditions: [{type: 'Completed', status: 'True', reason: phase, message}]}
}

const isSidecar = (container: JsonObject): boolean => container.restartPolicy === 'Always'

interface Tally {
  restarts: number
  lastRestart: number | undefined
  ready: number
}

function count(tally: Tally, status: JsonObject): void {
  tally.restarts += number(status, 'restartCount') ?? 0
  const ended = readInstant(text(status, 'lastState', 'terminated', 'finishedAt'))
  if (ended !== undefined && ended > (tally.lastRestart ?? 0)) tally.lastRestart = ended
}

function summary(pod: JsonObject): Tally & {readonly reason: string} {
  const phase = text(pod, 'status', 'phase') ?? ''
  const conditions = objects(pod, 'status', 'conditions')
  const isTrue = (type: string) => conditions.some((each) => each.type === type && each.status === 'True')
  const all: Tally = {restarts: 0, lastRestart: undefined, ready: 0}
  const sidecars: Tally = {restarts: 0, lastRestart: undefined, ready: 0}
  const initReason = initializing(pod, all, sidecars)
  let reason = initReason ?? (text(pod, 'status', 'reason') || phase)
  let tally = all
  if (initReason === undefined || isTrue('Initialized')) {
    tally = {...sidecars, ready: all.ready}
    reason = containersReason(pod, reason, tally, isTrue('Ready'))
  }
  if (text(pod, 'metadata', 'deletionTimestamp') !== undefined) {
    if (text(pod, 'status', 'reason') === 'NodeLost') reason = 'Unknown'
    else if (phase !== 'Failed' && phase !== 'Succeeded') reason = 'Terminating'
  }
  return {...tally, reason}
}

/** The reason while an init container has not done its part; the first one that has not decides. */
function initializing(pod: JsonObject, all: Tally, sidecars: Tally): string | undefined {
  const specs = objects(pod, 'spec', 'initContainers')
  for (const [index, status] of objects(pod, 'status', 'initContainerStatuses').entries()) {
    const sidecar = specs.some((spec) => spec.name === status.name && isSidecar(spec))
    count(all, status)
    if (sidecar) count(sidecars, status)
    const {terminated} = object(status, 'state')
    if (terminated !== undefined && number(terminated, 'exitCode') === 0) continue
    if (sidecar && status.started === true) {
      if (status.ready === true) all.ready++
      continue
    }
    if (terminated !== undefined) return `Init:${endOf(terminated)}`
    const waiting = text(status, 'state', 'waiting', 'reason')
    return waiting && waiting !== 'PodInitializing' ? `Init:${waiting}` : `Init:${index}/${specs.length}`
  }
  return undefined
}

function endOf(terminated: Json): string {
  const signal = number(terminated, 'signal')
  return text(terminated, 'reason') || (signal ? `Signal:${signal}` : `ExitCode:${number(terminated, 'exitCode') ?? 0}`)
}

/** From the last container to the first, so that the first has the last word. */
function containersReason(pod: JsonObject, before: string, tally: Tally, podReady: boolean): string {
  let [reason, error, hasRunning] = [before, '', false]
  for (const status of objects(pod, 'status', 'containerStatuses').toReversed()) {
    count(tally, status)
    const {terminated, running} = object(status, 'state')
    const waiting = text(status, 'state', 'waiting', 'reason')
    if (waiting) reason = waiting
    else if (terminated !== undefined) {
      reason = endOf(terminated)
      if (number(terminated, 'exitCode') !== 0) error = reason
    } else if (status.ready === true && running !== undefined) {
      hasRunning = true
      tally.ready++
    }
  }
  if (reason !== 'Completed') return reason
  if (hasRunning && podReady) return 'Running'
  return error || (hasRunning ? 'NotReady' : reason)
}

function readinessGates(pod: JsonObject): string {
  const gates = objects(pod, 'spec', 'readinessGates')
  if (gates.length === 0) return '<none>'
  const conditions = objects(pod, 'status', 'conditions')
  const open = gates.filter(
    ({conditionType}) =>
      at(
        conditions.find(({type}) => type === conditionType),
        'status',
      ) === 'True',
  )
  return `${open.length}/${gates.length}`
}
