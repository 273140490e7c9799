// A call that is looked at, with what its head says.
import type {CallHead} from '../relay/handling.ts'
import type {CalledMethod} from './call-head.ts'
import type {KnownMethod} from './known-methods.ts'
import type {CallRecord} from './trace/call-record.ts'

export interface CallAtHand {
  readonly head: CallHead
  readonly called: CalledMethod
  readonly known: KnownMethod | undefined
  readonly record: CallRecord
  /** Its request is to be decoded, and what its answer tells of names. */
  readonly decodes: boolean
}
