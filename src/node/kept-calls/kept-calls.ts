// Calls to the node's sockets as a bundle keeps them: calls.jsonl, a line each.
import type {RecordedCall} from '../recorded/recorded-call.ts'

export interface KeptCalls {
  readonly calls: readonly RecordedCall[]
  /** Rule to the number of values that were taken out. */
  readonly hits: Readonly<Record<string, number>>
  /** What was not asked, in words. */
  readonly missing: readonly string[]
}
