// Rules as somebody sends them: one, a list, what a file of rules has, or what the flags of a command line say.
import {parseRules} from '../../faults/file/read-rules.ts'
import {type RuleFlags, ruleOf} from '../../faults/flags.ts'
import type {Rule} from '../../faults/rule.ts'

const file = 'the request'

/** @throws UserError with what is wrong first, and its line */
export function postedRules(text: string): readonly Rule[] {
  const value = jsonOf(text)
  if (isMap(value) && isMap(value.flags)) return [ruleOf(value.flags as unknown as RuleFlags)]
  // What is put around it leaves the lines as they are.
  const around = Array.isArray(value) ? `{"rules": ${text}}` : isMap(value) && !('rules' in value) ? `{"rules": [${text}]}` : text
  return parseRules(around, file).rules
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
