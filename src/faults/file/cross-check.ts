// What a schema cannot tell of rules: that what they speak of can be.
import {pathWords} from '../../base/yaml/path-words.ts'
import type {Problem} from '../../base/yaml/problem.ts'
import {needsRequest} from '../match/matches.ts'
import {notifiesRegistration} from '../register-lost.ts'
import type {Rule} from '../rule.ts'
import {wrongCall} from './cross-check-calls.ts'
import type {RulesFile} from './rules-schema.ts'

export function crossCheck({rules}: RulesFile): readonly Problem[] {
  const names = rules.map(({name}) => name)
  return rules.flatMap((rule, index) => {
    const path = ['rules', index]
    const again = names.indexOf(rule.name) < index ? [problem([...path, 'name'], "another rule's", `'${rule.name}' again`)] : []
    return [...again, ...wrongRule(rule, path)]
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
