// The small values of a scenario file.
import * as v from 'valibot'
import {parseDuration} from '../../base/duration.ts'

export const text = v.pipe(v.string('a text'), v.trim(), v.nonEmpty('a text that is not empty'))
export const flag = v.boolean('true or false')
export const count = v.pipe(v.number('a whole number'), v.integer('a whole number'), v.minValue(0, '0 or more'))

/** Milliseconds of '10s', '1m30s' or a bare number of seconds. */
export const duration = v.pipe(
  v.union([v.string(), v.number()], 'a duration such as 10s'),
  v.rawTransform(({dataset, addIssue, NEVER}) => {
    try {
      return parseDuration(`${dataset.value}`, 'it')
    } catch {
      addIssue({message: 'a duration such as 10s or 1m30s'})
      return NEVER
    }
  }),
)

export const objectName = v.pipe(text, v.regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/, 'a name of small letters, digits and -'))

/** Below the kubelet's root where it does not begin with a slash. */
export const diskPath = v.pipe(text, v.regex(/^[^\s*]+$/, 'a path'))

/** The same; * stands for any part of a name, ** for any names. */
export const pathPattern = v.pipe(text, v.regex(/^\S+$/, 'a path, in which * and ** may stand for names'))

const named = (pattern: RegExp, what: string) =>
  v.pipe(
    v.string(what),
    v.regex(pattern, what),
    v.transform((name) => (name.includes('/') ? name : `default/${name}`)),
  )

/** 'namespace/name'; a name alone is in the namespace default. */
export const podName = named(/^[a-z0-9.-]+(\/[a-z0-9.-]+)?$/, "a pod's name, or namespace/name")

/** The same; a * at its end stands for whatever follows. */
export const podPattern = named(/^[a-z0-9.-]+(\/[a-z0-9.-]*)?\*?$/, "a pod's name, or namespace/name, which may end in *")

export function oneOf<const Options extends readonly string[]>(options: Options) {
  return v.picklist(options, `one of ${options.join(', ')}`)
}

export const listOf = <Schema extends v.GenericSchema>(schema: Schema) => v.array(schema, 'a list')

export const recordOf = <Schema extends v.GenericSchema>(schema: Schema) => v.record(v.string(), schema, 'a map')

/** Where a text alone stands for a map with nothing but that. */
export function shortOrLong<Short extends v.GenericSchema, Long extends v.GenericSchema>(short: Short, long: Long) {
  return v.lazy((input): Short | Long => (typeof input === 'object' && input !== null ? long : short))
}
