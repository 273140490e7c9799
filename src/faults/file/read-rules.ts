// The text of a file of rules as rules, or what is wrong with it, each with its line.
import {UserError} from '../../base/errors.ts'
import {type FileRead, readFile} from '../../base/yaml/read-file.ts'
import {crossCheck, crossCheckPartly} from './cross-check.ts'
import {type RulesFile, rulesSchema} from './rules-schema.ts'

/** @param file its path, for the messages. */
export const readRules = (text: string, file: string): FileRead<RulesFile> =>
  readFile(text, file, {what: 'rules', one: 'list of rules', schema: rulesSchema, crossCheck, crossCheckPartly})

/** @throws UserError with all that is wrong. */
export function parseRules(text: string, file: string): RulesFile {
  const read = readRules(text, file)
  if ('value' in read) return read.value
  const [first, ...more] = read.problems
  throw new UserError(first, {more})
}
