// Why nothing may be concluded from what a source does not have.
import {type Reading, whole} from '../../../node/reading.ts'

/** Undefined when all of it is there. */
export function whyUnknown(reading: Reading<unknown>): string | undefined {
  if (whole(reading) !== undefined) return undefined
  return reading.state === 'read' ? reading.incomplete : reading.why
}
