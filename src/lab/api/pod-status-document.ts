// A pod's status as JSON, and back: what the model has no field for is kept with it.
import {formatInstant, readInstant} from '../../base/instant.ts'
import type {ContainerState, ContainerStatus, PodCondition, PodPhase, PodStatus} from '../../kubelet/pod.ts'
import {asWritten, withWritten} from '../api-server/as-written.ts'
import {at, defined, type JsonObject, number, object, objects, text} from './json.ts'

export function podStatusDocument(status: PodStatus): JsonObject {
  return asWritten(status) ?? modelStatus(status)
}

function modelStatus({phase, reason, message, startTime, conditions, initContainerStatuses, containerStatuses}: PodStatus): JsonObject {
  return defined({
    phase,
    reason,
    message,
    startTime: instant(startTime),
    conditions: conditions.map(({lastTransitionTime, ...condition}) =>
      defined({...condition, lastProbeTime: null, lastTransitionTime: instant(lastTransitionTime) ?? null}),
    ),
    ...(initContainerStatuses.length > 0 ? {initContainerStatuses: initContainerStatuses.map(containerDocument)} : {}),
    ...(containerStatuses.length > 0 ? {containerStatuses: containerStatuses.map(containerDocument)} : {}),
  })
}

/** In the order of a server's, as are the others here: people compare texts. */
function containerDocument({name, state, lastState, ready, restartCount, image, containerID}: ContainerStatus): JsonObject {
  return defined({
    name,
    state: stateDocument(state),
    lastState: lastState === undefined ? {} : stateDocument(lastState),
    ready,
    restartCount,
    image,
    imageID: containerID === undefined ? '' : image,
    containerID,
    started: 'running' in state,
  })
}

function stateDocument(state: ContainerState): JsonObject {
  if ('waiting' in state) return {waiting: defined({...state.waiting})}
  if ('running' in state) return {running: {startedAt: formatInstant(state.running.startedAt)}}
  const {exitCode, reason, message, startedAt, finishedAt, containerID} = state.terminated
  const [from, to] = [instant(startedAt) ?? null, instant(finishedAt) ?? null]
  return {terminated: defined({exitCode, reason, message, startedAt: from, finishedAt: to, containerID})}
}

const instant = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : formatInstant(ms))

/** With what was written. */
export const podStatusFromDocument = (document: JsonObject): PodStatus => withWritten(modelPodStatus(document), document)

export function modelPodStatus(document: JsonObject): PodStatus {
  return {
    phase: (text(document, 'phase') ?? 'Pending') as PodPhase,
    ...optional(document, 'reason', 'message'),
    ...moment(document, 'startTime'),
    conditions: objects(document, 'conditions').map(conditionFrom),
    initContainerStatuses: objects(document, 'initContainerStatuses').map(containerFrom),
    containerStatuses: objects(document, 'containerStatuses').map(containerFrom),
  }
}

function conditionFrom(document: JsonObject): PodCondition {
  return {
    type: text(document, 'type') ?? '',
    status: (text(document, 'status') ?? 'Unknown') as PodCondition['status'],
    ...optional(document, 'reason'),
    ...moment(document, 'lastTransitionTime'),
  }
}

function containerFrom(document: JsonObject): ContainerStatus {
  const last = stateFrom(object(document, 'lastState'))
  return {
    name: text(document, 'name') ?? '',
    image: text(document, 'image') ?? '',
    // Upstream: no state at all is waiting.
    state: stateFrom(object(document, 'state')) ?? {waiting: {}},
    ...(last === undefined ? {} : {lastState: last}),
    ready: at(document, 'ready') === true,
    restartCount: number(document, 'restartCount') ?? 0,
    ...optional(document, 'containerID'),
  }
}

function stateFrom({waiting, running, terminated}: JsonObject): ContainerState | undefined {
  if (waiting) return {waiting: optional(waiting, 'reason', 'message')}
  if (running) return {running: {startedAt: readInstant(text(running, 'startedAt')) ?? 0}}
  if (!terminated) return undefined
  return {
    terminated: {
      exitCode: number(terminated, 'exitCode') ?? 0,
      ...optional(terminated, 'reason', 'message', 'containerID'),
      ...moment(terminated, 'startedAt'),
      ...moment(terminated, 'finishedAt'),
    },
  }
}

type Optional<Value, Names extends string> = {readonly [Name in Names]?: Value}

/** Upstream: omitempty. */
function optional<Names extends string>(document: unknown, ...fields: readonly Names[]): Optional<string, Names> {
  const found = fields.map((field) => [field, text(document, field)]).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(found) as Optional<string, Names>
}

function moment<Name extends string>(document: unknown, field: Name): Optional<number, Name> {
  const ms = readInstant(text(document, field))
  return (ms === undefined ? {} : {[field]: ms}) as Optional<number, Name>
}
