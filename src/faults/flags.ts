// A rule as flags of a command line say it. It is one of a file, and wrong where that would be.
import * as v from 'valibot'
import {UserError} from '../base/errors.ts'
import {type Problem, problemOf} from '../base/yaml/problem.ts'
import {kindNamed} from './faults.ts'
import {wrongRule} from './file/cross-check.ts'
import {ruleSchema} from './file/rule-schema.ts'
import type {RuleFlags} from './flags/rule-flags.ts'
import {flagFor, type WrittenRule, writtenRule} from './flags/written-rule.ts'
import type {Rule} from './rule.ts'

/** @throws UserError that names the flag */
export function ruleOf(flags: RuleFlags): Rule {
  const written = writtenRule(flags)
  const result = v.safeParse(ruleSchema, written.rule, {abortPipeEarly: true})
  const [wrong] = result.success ? wrongRule(result.output, []) : result.issues.map(problemOf)
  if (wrong !== undefined) throw new UserError(sentence(wrong, written, flags.fault), hintOf(wrong, flags.fault))
  return result.output as Rule
}

function hintOf({path}: Problem, kind: string): {readonly hint?: string} {
  if (kindNamed(kind) === undefined) return {hint: 'docs/faults.md says what each does'}
  return kind === 'delay' && path.join() === 'fault' ? {hint: '--delay 5s keeps a call so long from the server'} : {}
}

/** What is said of a part of the rule is said of its flag. */
function sentence({what, path}: Problem, {parts}: WrittenRule, kind: string): string {
  const missing = /^'(.+)' must be given: /.exec(what)?.[1]
  if (missing !== undefined) return `Cannot use --fault ${kind} as ${flagFor(missing) ?? missing} must be given: it is not there`
  const found =
    parts.find((part) => part.path.every((key, index) => path[index] === key)) ??
    // Of more than one flag, such as all that match.
    parts.find((part) => path.length > 0 && path.every((key, index) => part.path[index] === key))
  const {flag, given} = path.join() === 'fault' || found === undefined ? {flag: '--fault', given: kind} : found
  const [, must = ''] = /' must (.*?): it (?:is|has) /s.exec(what) ?? []
  const said = what.startsWith("'fault' must have only keys") ? `be left out, as ${kind} takes no such thing` : must
  return `Cannot use ${flag} as it must ${said}: it is '${given}'`
}
