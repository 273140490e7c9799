// What somebody wants who presses Ctrl-C, and presses it again.
import {onInterrupt} from './interrupted.ts'

export interface StopSignals extends Disposable {
  readonly controller: AbortController
  readonly signal: AbortSignal
  /** Once more: nothing is to be waited for. */
  readonly hurry: AbortSignal
}

export function stopSignals(): StopSignals {
  const [controller, hurry] = [new AbortController(), new AbortController()]
  const interrupt = onInterrupt(
    (reason) => controller.abort(reason),
    () => hurry.abort(),
  )
  return {controller, signal: controller.signal, hurry: hurry.signal, [Symbol.dispose]: () => interrupt[Symbol.dispose]()}
}
