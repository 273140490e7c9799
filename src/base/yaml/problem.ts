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
  const around = items.at(-1)?.input
  if (issue.type === 'strict_object' && Array.isArray(around)) {
    return {what: `${pathWords(path.slice(0, -1))} must be a map: it is ${shown(around)}`, path: path.slice(0, -1), ofKey: false}
  }
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
  return {what: `${what} must be ${issue.message}: it is ${ofKey ? `'${path.at(-1)}'` : shown(issue.input)}`, path, ofKey}
}

function shown(input: unknown): string {
  if (input === null || input === undefined) return 'empty'
  if (Array.isArray(input)) return input.length === 0 ? 'an empty list' : 'a list'
  if (typeof input === 'object') return 'a map'
  return typeof input === 'string' ? `'${input.slice(0, 120)}'` : `${input}`
}
