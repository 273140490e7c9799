// What is told while calls are traced.
import type {TracedCall} from '../call/traced-call.ts'

export interface TraceHears {
  /** From now on calls are seen. */
  started(where: string): void
  call(call: TracedCall): void
  trouble(text: string): void
}
