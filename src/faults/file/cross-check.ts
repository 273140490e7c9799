// What a schema cannot tell of rules: that what they speak of can be.
import * as v from 'valibot'
import {pathWords} from '../../base/yaml/path-words.ts'
import {type Problem, shown} from '../../base/yaml/problem.ts'
import {needsRequest} from '../match/matches.ts'
import {notifiesRegistration} from '../register-lost.ts'
import type {Rule} from '../rule.ts'
import {wrongCall} from './cross-check-calls.ts'
import {ruleSchema} from './rule-schema.ts'
import type {RulesFile} from './rules-schema.ts'

export function crossCheck({rules}: RulesFile): readonly Problem[] {
  return [...namedAgain(rules.map(({name}) => name)), ...rules.flatMap((rule, index) => wrongRule(rule, ['rules', index]))]
}

/** Of a file that has mistakes already, those of the rules that are rules. */
export function crossCheckPartly(value: unknown): readonly Problem[] {
  const given = (value as {readonly rules?: unknown} | null | undefined)?.rules
  if (!Array.isArray(given)) return []
  const names = given.map((rule: {readonly name?: unknown} | null) => (typeof rule?.name === 'string' ? rule.name.trim() : undefined))
  const wrong = given.flatMap((rule, index) => {
    const result = v.safeParse(ruleSchema, rule)
    return result.success ? wrongRule(result.output, ['rules', index]) : []
  })
  return [...namedAgain(names), ...wrong]
}

function namedAgain(names: readonly (string | undefined)[]): readonly Problem[] {
  const seen = new Set<string>()
  return names.flatMap((name, index) => {
    if (name === undefined) return []
    if (seen.has(name)) return [problem(['rules', index, 'name'], "another rule's", `${shown(name)} again`)]
    seen.add(name)
    return []
  })
}

/** @param path of the rule */
export function wrongRule(rule: Rule, path: Problem['path']): readonly Problem[] {
  if (rule.fault.socket !== undefined) return wrongForSocket(rule, path)
  return [...wrongWindow(rule, path), ...wrongRegistration(rule, path), ...wrongCall(rule, path)]
}

/** Its connections are refused or silent before anybody says what they want. */
function wrongForSocket(rule: Rule, path: Problem['path']): readonly Problem[] {
  const counts = (['skip', 'limit', 'every', 'per', 'probability'] as const).filter((key) => rule[key] !== undefined)
  const words = Object.keys(rule.match)
  const why = `left out, as ${rule.fault.kind} is of the socket and looks at no call`
  return [
    ...wrongWindow(rule, path),
    ...(words.length === 0 ? [] : [problem([...path, 'match'], why, 'a map', true)]),
    ...counts.map((key) => problem([...path, key], why, `${rule[key]}`, true)),
  ]
}

function wrongWindow({from = 0, until}: Rule, path: Problem['path']): readonly Problem[] {
  if (until === undefined || until > from) return []
  return [problem([...path, 'until'], `after 'from', which is ${from / 1000} s`, `${until / 1000} s`)]
}

function wrongRegistration({fault, match}: Rule, path: Problem['path']): readonly Problem[] {
  if (fault.kind !== 'register-lost') return []
  const {to, method} = notifiesRegistration
  if (match.to === to && match.method === method && !needsRequest(match)) return []
  return [problem([...path, 'match'], `left out, as ${fault.kind} is about ${method} alone`, 'a map', true)]
}

const problem = (path: Problem['path'], must: string, is: string, ofKey = false): Problem => ({
  what: `${pathWords(path)} must be ${must}: it is ${is}`,
  path,
  ofKey,
})
