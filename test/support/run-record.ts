// A timeline by hand, for whatever reads timelines: moments in seconds from the start.
import type {RunRecord} from '../../src/scenario/expect/run-record.ts'
import {start} from '../../src/scenario/play.ts'
import type {CallEvent, ContainerEvent, DiskEvent, Event, LogEvent, ObjectEvent, StepEvent} from '../../src/timeline/event.ts'
import type {SeenPod, SeenState} from '../../src/timeline/seen-pod.ts'

const moment = (seconds: number): number => start + Math.round(seconds * 1000)

let calls = 0

export const call = (at: number, method: string, more: Partial<CallEvent> & {readonly ends?: number} = {}): CallEvent => {
  const {ends, ...rest} = more
  const ended = ends === undefined ? {} : {outcome: 'OK', endedAt: moment(ends)}
  return {kind: 'call', at: moment(at), id: ++calls, to: 'cri', method, pod: 'default/p', request: {}, ...ended, ...rest}
}

export interface SeenOptions {
  readonly type?: ObjectEvent['type']
  readonly pod?: string
  readonly phase?: string
  readonly reason?: string
  readonly terminating?: boolean
  readonly containers?: Readonly<Record<string, SeenState>>
}

export const seen = (at: number, options: SeenOptions = {}): ObjectEvent => {
  const {type = 'MODIFIED', pod = 'default/p', phase = 'Running', reason, terminating = false, containers = {}} = options
  const object: SeenPod = {
    metadata: terminating ? {deletionTimestamp: moment(at)} : {},
    status: {
      phase,
      ...(reason === undefined ? {} : {reason}),
      conditions: [],
      initContainerStatuses: [],
      containerStatuses: Object.entries(containers).map(([name, state]) => {
        const containerID = state.terminated?.containerID
        return {name, state, ready: false, restartCount: 0, ...(containerID === undefined ? {} : {containerID})}
      }),
    },
  }
  return {kind: 'object', at: moment(at), type, pod, uid: 'u', object}
}

export const container = (at: number, what: ContainerEvent['what'], more: Partial<ContainerEvent> = {}): ContainerEvent => ({
  kind: 'container',
  at: moment(at),
  what,
  pod: 'default/p',
  uid: 'u',
  container: 'main',
  id: 'c',
  ...more,
})

export const log = (at: number, text: string, more: Partial<LogEvent> = {}): LogEvent => ({
  kind: 'log',
  at: moment(at),
  text,
  pod: 'default/p',
  ...more,
})

export const disk = (at: number, what: DiskEvent['what'], path: string, entry: DiskEvent['entry'] = 'directory'): DiskEvent => ({
  kind: 'disk',
  at: moment(at),
  what,
  path,
  entry,
})

export const step = (at: number, text: string): StepEvent => ({kind: 'step', at: moment(at), text})

/** @param end in seconds */
export const recordOf = (events: readonly Event[], end = 60): RunRecord => ({events, start, end: moment(end)})

export const failed = {terminated: {exitCode: 1, reason: 'Error', finishedAt: 1, containerID: 'lab://c'}}
/** As the kubelet makes it up. */
export const bare = {terminated: {exitCode: 0}}
