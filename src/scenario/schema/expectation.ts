// Expectations: what the timeline of a run must show.
import * as v from 'valibot'
import {byKey, strict} from '../../base/yaml/strict.ts'
import {count, duration, listOf, oneOf, shortOrLong, text} from '../../base/yaml/values.ts'
import {matcherSchema, seenSchema} from './matcher.ts'
import {pathPattern} from './values.ts'

/** A moment: of the first event that matches, or that long after the start. */
export const momentSchema = shortOrLong(duration, matcherSchema)

/** In the words of the scenario; else we find our own. */
const what = v.exactOptional(text)
const window = {since: v.exactOptional(momentSchema), until: v.exactOptional(momentSchema)}

const eventually = strict({what, eventually: matcherSchema, after: v.exactOptional(momentSchema), within: v.exactOptional(duration)})
const never = strict({what, never: matcherSchema, ...window})
const ordered = strict({what, ordered: v.pipe(listOf(matcherSchema), v.minLength(2, 'a list of at least two')), ...window})
const often = v.pipe(
  strict({of: matcherSchema, min: v.exactOptional(count), max: v.exactOptional(count)}),
  v.check(({min = 0, max}) => min > 0 || max !== undefined, "a count with a 'min' above 0, a 'max' or both, as anything holds without"),
  v.check(({min = 0, max = min}) => min <= max, "a count with a 'min' that is not above its 'max'"),
)
const counted = strict({what, count: often, ...window})
const last = strict({what, last: seenSchema, ...window})
const onDisk = strict({
  what,
  onDisk: strict({path: pathPattern, is: oneOf(['present', 'absent', 'mounted'])}),
  /** The end, when nothing is said. */
  at: v.exactOptional(momentSchema),
})

export const expectationSchema = byKey('an expectation', {eventually, never, ordered, count: counted, last, onDisk})

export type Expectation = v.InferOutput<typeof expectationSchema>
export type Eventually = v.InferOutput<typeof eventually>
export type Never = v.InferOutput<typeof never>
export type Ordered = v.InferOutput<typeof ordered>
export type Counted = v.InferOutput<typeof counted>
export type Last = v.InferOutput<typeof last>
export type OnDisk = v.InferOutput<typeof onDisk>
export type Moment = v.InferOutput<typeof momentSchema>
