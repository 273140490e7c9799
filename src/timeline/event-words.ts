// An event in words, on one line, without its time: the same in every run that does the same, so without ids and uids.
import type {BeliefEvent, CallEvent, ContainerEvent, DiskEvent, Event, LogEvent, ObjectEvent} from './event.ts'
import {kindOfState, type SeenContainer, seenPod} from './seen-pod.ts'

export function eventWords(event: Event): string {
  switch (event.kind) {
    case 'call':
      return callWords(event)
    case 'object':
      return objectWords(event)
    case 'container':
      return containerWords(event)
    case 'disk':
      return diskWords(event)
    case 'log':
      return logWords(event)
    case 'belief':
      return beliefWords(event)
    case 'step':
      return `step: ${event.text}`
    default:
      return event satisfies never
  }
}

/** 'StopPodSandbox default/never-0 (fault: lost)'; how it ended stands apart, since that comes later. */
function callWords({to, method, pod, container, request, fault}: CallEvent): string {
  const fields = Object.entries(request).flatMap(([name, value]) =>
    isTold(name, value) ? [`${name} ${typeof value === 'string' ? withoutIds(value) : value}`] : [],
  )
  const about = [pod, container, fields.length === 0 ? undefined : `{${fields.join(', ')}}`].filter((part) => part !== undefined)
  return [`${to}: ${method}`, ...about, ...(fault === undefined ? [] : [`(fault: ${fault})`])].join(' ')
}

/** Ids differ from run to run, and so do paths with them; what the status became is what a watcher sees next. */
const isTold = (name: string, value: unknown): boolean =>
  !/^(?:id|uid|podUid|status|stagingTargetPath|targetPath)$/.test(name) && typeof value !== 'object'

function objectWords(event: ObjectEvent): string {
  return `watch: ${event.type} ${event.pod} ${podWords(event)}`
}

/** 'Failed, Terminating; main terminated 1 Error'. */
export function podWords(event: ObjectEvent): string {
  const {metadata, status} = seenPod(event)
  const whole = [status.phase, status.reason, metadata.deletionTimestamp === undefined ? undefined : 'Terminating']
  const containers = [...status.initContainerStatuses, ...status.containerStatuses].map(stateWords)
  return [whole.filter((part) => part !== undefined).join(', '), ...containers].join('; ')
}

function stateWords({name, state, lastState, ready, restartCount}: SeenContainer): string {
  const last = lastState === undefined ? [] : [`(before: ${stateText(lastState)})`]
  const counted = restartCount === 0 ? [] : [`restarted ${restartCount}`]
  return [name, stateText(state), ...(ready ? ['ready'] : []), ...counted, ...last].join(' ')
}

function stateText(state: SeenContainer['state']): string {
  const kind = kindOfState(state)
  if (kind === 'running') return kind
  if (kind === 'waiting') return [kind, state.waiting?.reason].filter(Boolean).join(' ')
  const {exitCode, reason, finishedAt} = state.terminated ?? {exitCode: 0}
  return [kind, `${exitCode}`, reason, finishedAt === undefined ? 'without times' : undefined].filter(Boolean).join(' ')
}

function containerWords({what, pod, container, exitCode, reason}: ContainerEvent): string {
  const ended = exitCode === undefined ? [] : [`${exitCode}`]
  return ['runtime:', what, pod, container ?? 'sandbox', ...ended, ...(reason ? [reason] : [])].join(' ')
}

const diskWords = ({what, path, entry}: DiskEvent): string => `disk: ${what} ${entry} ${withoutIds(path)}`

/** A pod's uid is another in each run. */
const withoutIds = (path: string): string =>
  path.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>').replace(/[0-9a-f]{64}/g, '<sha>')

function logWords({text, pod, fields}: LogEvent): string {
  const more = Object.entries(fields ?? {}).map(([name, value]) => `${name}=${plain(value)}`)
  return ['log:', text, ...(pod === undefined ? [] : [pod]), ...more].join(' ')
}

function beliefWords({volume, state, pod}: BeliefEvent): string {
  return ['believes:', volume, ...(pod === undefined ? [] : ['of', pod]), 'is', state].join(' ')
}

function plain(value: unknown): string {
  return withoutIds(typeof value === 'string' ? value : JSON.stringify(value))
}
