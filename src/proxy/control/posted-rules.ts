// Rules as somebody sends them: one, a list, what a file of rules has, or what the flags of a command line say.
import * as v from 'valibot'
import {UserError} from '../../base/errors.ts'
import {parseRules} from '../../faults/file/read-rules.ts'
import {type RuleFlags, ruleOf} from '../../faults/flags.ts'
import type {Rule} from '../../faults/rule.ts'

const file = 'the request'

/** @throws UserError with what is wrong first, and its line */
export function postedRules(text: string): readonly Rule[] {
  const value = jsonOf(text)
  if (isMap(value) && 'flags' in value) return [ruleOf(flagsOf(value.flags))]
  // What is put around it leaves the lines as they are.
  const around = Array.isArray(value) ? `{"rules": ${text}}` : isMap(value) && !('rules' in value) ? `{"rules": [${text}]}` : text
  return parseRules(around, file).rules
}

const flagsSchema = v.looseObject({fault: v.string()})
const givenSchema = v.record(v.string(), v.union([v.string(), v.array(v.string()), v.literal(true)]))

function flagsOf(value: unknown): RuleFlags {
  if (v.is(flagsSchema, value) && v.is(givenSchema, value)) return value
  throw new UserError('Cannot read the rule as its flags must be a map of texts with a fault among them: it is something else')
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Undefined: it may be YAML. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
