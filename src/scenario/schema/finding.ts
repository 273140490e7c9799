// Which finding of `check` names the bug on a node that has it.
import * as v from 'valibot'
import {detectors} from '../../findings/detectors.ts'
import {type Severity, severities} from '../../findings/finding.ts'
import {momentSchema} from './expectation.ts'
import {strict} from './strict.ts'
import {oneOf, shortOrLong} from './values.ts'

export interface NamingFinding {
  readonly code: string
  readonly severity?: Severity
  readonly at?: v.InferOutput<typeof momentSchema>
}

const code = oneOf(detectors.map((each) => each.code))

/** A code alone: at any severity, when the run is over. */
export const findingSchema = shortOrLong(
  v.pipe(
    code,
    v.transform((each): NamingFinding => ({code: each})),
  ),
  strict({code, severity: v.exactOptional(oneOf(severities)), at: v.exactOptional(momentSchema)}),
)
