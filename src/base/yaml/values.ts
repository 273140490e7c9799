// The small values of files that people write.
import * as v from 'valibot'
import {parseDuration} from '../duration.ts'
import {likely} from '../nearest.ts'

export const text = v.pipe(v.string('a text'), v.trim(), v.nonEmpty('a text that is not empty'))
export const flag = v.boolean('true or false')

/** A whole number within bounds: those of the API server where it has some. */
export const whole = (least: number, most: number) =>
  v.pipe(
    v.number('a whole number'),
    v.integer('a whole number'),
    v.minValue(least, `${least} or more`),
    v.maxValue(most, `${most} or less`),
  )

/** The API's largest where it says int32. */
export const int32 = 2 ** 31 - 1
export const count = whole(0, int32)

/** Nothing that people write down takes longer. */
const longest = 86_400_000

/** @param wrong what it must be when it is not */
const durationThat = (wrong: (ms: number) => string | undefined) =>
  v.pipe(
    v.union([v.string(), v.number()], 'a duration such as 10s'),
    v.rawTransform(({dataset, addIssue, NEVER}) => {
      const ms = millisecondsOf(`${dataset.value}`)
      const message = ms === undefined ? 'a duration such as 10s or 1m30s' : ms > longest ? 'a duration of at most 24h' : wrong(ms)
      if (ms !== undefined && message === undefined) return ms
      addIssue(message === undefined ? {} : {message})
      return NEVER
    }),
  )

function millisecondsOf(text: string): number | undefined {
  try {
    return parseDuration(text, 'it')
  } catch {
    return undefined
  }
}

/** Milliseconds of '10s', '1m30s' or a bare number of seconds. */
export const duration = durationThat(() => undefined)

/** What the API counts in seconds. */
export const wholeSeconds = durationThat((ms) => (ms % 1000 === 0 ? undefined : 'whole seconds'))

export function oneOf<const Options extends readonly string[]>(options: Options) {
  return v.picklist(options, `one of ${options.join(', ')}`)
}

/** Of many: what may be meant says more than all that there are. */
export function namedOneOf<const Options extends readonly string[]>(what: string, options: Options) {
  return v.picklist(options, ({input}) => {
    const near = typeof input === 'string' ? likely(input, options) : []
    return near.length === 0 ? `${what}, of ${options.join(', ')}` : `${what} ('${near.join("' or '")}' may be meant)`
  })
}

export const listOf = <Schema extends v.GenericSchema>(schema: Schema, most = 1000) =>
  v.pipe(v.array(schema, 'a list'), v.maxLength(most, `a list of at most ${most}`))

/** Of an issue, as its requirement: it is about the key, and not about its value. */
export const wrongKey = (): boolean => false

interface Keys {
  readonly may: (key: string) => boolean
  readonly must: string
}

/** Everything else is an ordinary name, as constructor is one: valibot's own record drops some. */
const anyKey: Keys = {may: (key) => key !== '__proto__', must: 'another name'}

export function recordOf<Schema extends v.GenericSchema>(schema: Schema, {may, must}: Keys = anyKey) {
  return v.lazy((input): v.ObjectSchema<Record<string, Schema>, undefined> => {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return v.never('a map') as never
    const bad = v.pipe(v.unknown(), v.check(wrongKey, must))
    // By fromEntries(): an assignment to __proto__ makes no key.
    return v.object(Object.fromEntries(Object.keys(input).map((key) => [key, may(key) ? schema : (bad as never)])))
  })
}

/** Where a text alone stands for a map with nothing but that. */
export function shortOrLong<Short extends v.GenericSchema, Long extends v.GenericSchema>(short: Short, long: Long) {
  return v.lazy((input): Short | Long => (typeof input === 'object' && input !== null ? long : short))
}
