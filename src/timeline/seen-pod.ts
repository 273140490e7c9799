// A pod as a watcher of the API sees it: of the object of an event, what a reader of timelines reads.
import type {ObjectEvent} from './event.ts'

export interface SeenPod {
  readonly metadata: {readonly deletionTimestamp?: unknown}
  readonly status: {
    readonly phase: string
    readonly reason?: string
    readonly conditions: readonly {readonly type: string; readonly status: string}[]
    readonly initContainerStatuses: readonly SeenContainer[]
    readonly containerStatuses: readonly SeenContainer[]
  }
}

export interface SeenContainer {
  readonly name: string
  readonly state: SeenState
  readonly lastState?: SeenState
  readonly ready: boolean
  readonly restartCount: number
  readonly containerID?: string
}

export interface SeenState {
  readonly waiting?: {readonly reason?: string}
  readonly running?: object
  readonly terminated?: {readonly exitCode: number; readonly reason?: string; readonly finishedAt?: unknown; readonly containerID?: string}
}

export const seenPod = ({object}: ObjectEvent): SeenPod => object as SeenPod

export const kindOfState = ({terminated, running}: SeenState): 'waiting' | 'running' | 'terminated' =>
  terminated ? 'terminated' : running ? 'running' : 'waiting'
