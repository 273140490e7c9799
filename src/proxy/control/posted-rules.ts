// Rules as somebody sends them: one, a list, or what a file of rules has, as JSON or YAML.
import {parseRules} from '../../faults/file/read-rules.ts'
import type {RulesFile} from '../../faults/file/rules-schema.ts'

const file = 'the request'

/** @throws UserError with what is wrong first, and its line */
export function postedRules(text: string): RulesFile {
  const value = jsonOf(text)
  const isRule = typeof value === 'object' && value !== null && !Array.isArray(value) && !('rules' in value)
  // What is put around it leaves the lines as they are.
  const around = Array.isArray(value) ? `{"rules": ${text}}` : isRule ? `{"rules": [${text}]}` : text
  return parseRules(around, file)
}

/** Undefined: it may be YAML. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
