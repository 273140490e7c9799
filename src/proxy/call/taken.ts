// A call that somebody took, with all that carrying out a plan needs.
import type {Clock} from '../../base/clock.ts'
import type {ClientConnection} from '../../http2/client-connection.ts'
import type {TakenCall} from '../relay/handling.ts'
import type {ClientSide} from './client-side.ts'
import type {KnownMethod} from './known-methods.ts'
import type {Capture} from './message/capture.ts'
import type {RequestSide} from './request-side.ts'
import type {CallRecord} from './trace/call-record.ts'

export interface Taken {
  readonly call: TakenCall
  readonly known: KnownMethod | undefined
  readonly client: ClientSide
  readonly request: RequestSide
  readonly record: CallRecord
  readonly clock: Clock
  /** Aborted when calls are held no longer. */
  readonly healed: AbortSignal
  /** Ends with the proxy. */
  readonly signal: AbortSignal
  readonly dial: () => Promise<ClientConnection>
  /** Of the server's answer, where that tells names. */
  readonly answerCapture: Capture | undefined
}
