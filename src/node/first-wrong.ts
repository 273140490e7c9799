// What is wrong first in a file that somebody wrote or picked, as the end of a sentence: "'metadata.when' must be a text: it is 3".
import * as v from 'valibot'

export function firstWrong(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue)
  // A key that is missing is an issue of the object around it, which expects the key.
  if (issue.received === 'undefined' && issue.input === undefined && path !== null) return `'${path}' must be given: it is not there`
  const must = issue.kind === 'validation' ? issue.message : (nouns[issue.expected ?? ''] ?? issue.expected ?? issue.message)
  return `${path === null ? 'it' : `'${path}'`} must be ${must.replace(/^\((.*)\)$/, '$1').replaceAll(' | ', ' or ')}: it is ${shown(issue.input)}`
}

const nouns: Readonly<Record<string, string>> = {Object: 'an object', string: 'a text', number: 'a number'}

function shown(input: unknown): string {
  if (Array.isArray(input)) return 'an array'
  if (typeof input === 'object' && input !== null) return 'an object'
  return JSON.stringify(input)?.slice(0, 120) ?? 'nothing'
}
