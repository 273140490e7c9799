// One CSI node call that the kubelet's log tells of.
import type {CallEnd, LogStep} from './log-steps.ts'

export type CsiMethod = LogStep['method']

export interface CsiCall {
  readonly method: CsiMethod
  /** Absent where only the path of a block volume or a pod says which volume it is, and no line names its driver. */
  readonly driver?: string
  readonly handle: string
  /** The staging or target path, absolute; absent when the log shows the operation and not the call. */
  readonly path?: string
  /** Of a publish or its undoing. */
  readonly podUid?: string
  /** Milliseconds since 1970. When its begin is not known, that of its end. */
  readonly startedAt: number
  /** The log shows when it was called. */
  readonly isBeginKnown: boolean
  readonly end: CallEnd
}
