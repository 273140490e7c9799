// Asking something on a simulated clock: what came of it and after how many milliseconds.
import type {SimulatedClock} from '../../src/base/simulated-clock.ts'
import {CallFailure} from '../../src/kubelet/port.ts'

export interface Outcome {
  /** What was answered, or the code of the failure. */
  readonly value: unknown
  /** After how many milliseconds. */
  readonly ms: number
}

/** Undefined when there is none by then. */
export async function outcomeWithin(clock: SimulatedClock, ms: number, work: () => Promise<unknown>): Promise<Outcome | undefined> {
  const start = clock.now()
  let outcome: Outcome | undefined
  const tell = (value: unknown) => {
    outcome = {value, ms: clock.now() - start}
  }
  void work().then(tell, (error) => tell(error instanceof CallFailure ? error.code : error))
  await clock.run(start + ms)
  return outcome
}
