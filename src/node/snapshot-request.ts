// What to read of a node, and how long to wait for it.
import type {NodeRequest} from './node-request.ts'
import type {RuntimeRequest} from './runtime-source.ts'

export interface SnapshotRequest extends RuntimeRequest, NodeRequest {
  /** The moment that ages are counted to, RFC 3339; default: when the readings were taken. */
  readonly now?: string
  /** Milliseconds. A source that has not answered by then is unseen, and costs nothing else. */
  readonly deadlineMs: number
  /** Keeps the raw replies in the readings, for a bundle. */
  readonly keepReplies?: boolean
}
