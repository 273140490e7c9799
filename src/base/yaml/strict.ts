// Objects of a file that people write: a key that the format does not have is a mistake, and mostly a slip of the pen.
import * as v from 'valibot'
import {nearest} from '../nearest.ts'

/** The message is the end of a sentence: what the value must be, or of an unknown key what may be meant. */
export function strict<const Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries)
  return mapOf(v.strictObject(entries, (issue) => (issue.expected === 'never' ? meant(`${issue.input}`, known) : 'a map')))
}

/** valibot takes a list for an object, one that has `every`, `at` and `values`. */
export const mapOf = <const Schema extends v.GenericSchema>(schema: Schema): Schema => ({
  ...schema,
  '~run': (dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) =>
    (Array.isArray(dataset.value) ? v.never('a map') : schema)['~run'](dataset, config),
})

function meant(key: string, known: readonly string[]): string {
  const near = nearest(key, known)
  return near === undefined ? `it may have ${known.join(', ')}` : `'${near}' may be meant`
}

/** One of several objects, told apart by which of these keys it has. */
export function byKey<const Schemas extends Readonly<Record<string, v.GenericSchema>>>(what: string, schemas: Schemas) {
  const keys = Object.keys(schemas)
  return v.lazy((input): Schemas[keyof Schemas] => {
    const given = typeof input === 'object' && input !== null ? Object.keys(input) : []
    const key = keys.find((each) => given.includes(each))
    if (key !== undefined) return schemas[key] as Schemas[keyof Schemas]
    const near = given.map((each) => nearest(each, keys)).find((each) => each !== undefined)
    const message = `${what}, with one of ${keys.join(', ')}${near === undefined ? '' : ` ('${near}' may be meant)`}`
    // It stands for whichever it would have been: nothing comes out of it.
    return v.never(message) as unknown as Schemas[keyof Schemas]
  })
}
