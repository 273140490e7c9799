// Which finding of `check` names the bug on a node that has it.
import * as v from 'valibot'
import {strict} from '../../base/yaml/strict.ts'
import {listOf, oneOf, shortOrLong} from '../../base/yaml/values.ts'
import {detectors} from '../../findings/detectors.ts'
import {type Severity, severities} from '../../findings/finding.ts'
import {momentSchema} from './expectation.ts'

export interface NamingFinding {
  /** Kubelets differ in what they leave behind: each of these names it. */
  readonly codes: readonly string[]
  readonly severity?: Severity
  readonly at?: v.InferOutput<typeof momentSchema>
}

const code = oneOf(detectors.map((each) => each.code))
const codes = v.pipe(listOf(code), v.minLength(1, 'a list of at least one'))

const long = v.pipe(
  strict({
    code: v.lazy((input): typeof code | typeof codes => (Array.isArray(input) ? codes : code)),
    severity: v.exactOptional(oneOf(severities)),
    at: v.exactOptional(momentSchema),
  }),
  v.transform(({code: given, ...more}): NamingFinding => ({codes: typeof given === 'string' ? [given] : given, ...more})),
)

/** A code alone: at any severity, when the run is nearly over. */
export const findingSchema = shortOrLong(
  v.pipe(
    code,
    v.transform((each): NamingFinding => ({codes: [each]})),
  ),
  long,
)
