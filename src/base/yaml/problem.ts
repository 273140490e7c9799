// What is wrong with a file that somebody wrote, and where.
import type * as v from 'valibot'
import {type Path, pathWords} from './path-words.ts'
import {wrongKey} from './values.ts'

export interface Problem {
  /** The middle of a sentence: "'steps[0].create' must be …: it is …". */
  readonly what: string
  readonly path: Path
  /** It is the key that is wrong, not its value. */
  readonly ofKey: boolean
}

export function problemOf(issue: v.BaseIssue<unknown>): Problem {
  const items = issue.path ?? []
  const path = items.map(({key}) => (typeof key === 'number' ? key : `${key}`))
  const ofKey = items.at(-1)?.origin === 'key' || issue.requirement === wrongKey
  if (issue.type === 'strict_object' && issue.expected === 'never') {
    return {
      what: `${pathWords(path.slice(0, -1))} must have only keys that there are: it has '${path.at(-1)}', ${issue.message}`,
      path,
      ofKey,
    }
  }
  if (ofKey && issue.received === 'undefined')
    return {what: `${pathWords(path)} must be given: it is not there`, path: path.slice(0, -1), ofKey: false}
  const what = ofKey ? `the key ${pathWords(path)}` : pathWords(path)
  return {what: `${what} must be ${issue.message}: it is ${ofKey ? `'${cut(`${path.at(-1)}`)}'` : isOf(issue, path)}`, path, ofKey}
}

function isOf({type, input}: v.BaseIssue<unknown>, path: Path): string {
  if (type === 'max_length' && Array.isArray(input)) return `a list of ${input.length}`
  // A file of nothing.
  return input === null && path.length === 0 ? 'empty' : shown(input)
}

/** The end of a sentence. */
export function shown(input: unknown): string {
  if (input === undefined) return 'empty'
  if (input === null) return 'null'
  if (Array.isArray(input)) return input.length === 0 ? 'an empty list' : 'a list'
  if (typeof input === 'object') return 'a map'
  return typeof input === 'string' ? `'${cut(input)}'` : `${input}`
}

const most = 120
const cut = (text: string): string => (text.length <= most ? text : `${text.slice(0, most)}…`)
