// A look at one container: what its own ContainerStatus says, and whether the process that it names is there.
import type {ContainerState} from '../../wire/gen/cri_pb.ts'
import type {CallOutcome} from './answers.ts'

export interface ContainerLook {
  readonly id: string
  /** Of ContainerStatus for this id, which has a deadline of its own. */
  readonly outcome: CallOutcome
  readonly status?: SeenStatus
  /** Of its main process, in the pid namespace of the node, where the runtime tells it. */
  readonly pid?: number
  /** What runs it: 'io.containerd.runc.v2', 'io.containerd.kata.v2'; absent where the runtime does not tell. */
  readonly runtime?: string
  /** What became of that pid right after the status was read. Absent when /proc may not be the node's. */
  readonly process?: ProcessLook
}

/** Times are nanoseconds since 1970, 0 where there is none. */
export interface SeenStatus {
  readonly state: ContainerState
  readonly createdAt: bigint
  readonly startedAt: bigint
  readonly finishedAt: bigint
  readonly exitCode: number
  readonly reason: string
}

export type ProcessLook =
  | {readonly state: 'gone'}
  /** It has ended, and nobody has waited for it. */
  | {readonly state: 'zombie'}
  | {
      readonly state: 'there'
      /** Milliseconds since 1970. */
      readonly startedAt: number
      /** Of its cgroup, where that names one. */
      readonly containerId?: string
    }
