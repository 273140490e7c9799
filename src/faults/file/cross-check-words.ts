// Words of a rule that cannot go together, so that it would never have a call: whom calls are to, their service, their method and what they are about.
import {type Path, pathWords} from '../../base/yaml/path-words.ts'
import type {Problem} from '../../base/yaml/problem.ts'
import {calleeOf} from '../match/callee.ts'
import type {Callee, Match, Rule} from '../rule.ts'
import {methodsFor, methodsLike, unreadMethods} from './known-calls.ts'
import {canHave, isNameFact, type NameFact, nameFacts} from './named-calls.ts'

/** @param path of the rule */
export function contraryWords({match, per}: Rule, path: Path): readonly Problem[] {
  const at = [...path, 'match']
  const contrary = [...contraryCallee(match, [...at, 'to']), ...contraryMethod(match, [...at, 'method'])]
  if (contrary.length > 0) return contrary
  return [
    ...nameFacts.flatMap((fact) => (match[fact] === undefined ? [] : withoutFact(fact, match, match[fact], [...at, fact]))),
    ...(per !== undefined && isNameFact(per) ? withoutFact(per, match, per, [...path, 'per']) : []),
  ]
}

function contraryCallee({to, service}: Match, path: Path): readonly Problem[] {
  if (to === undefined || service === undefined || service.includes('*')) return []
  const known = methodsFor({service}).map(({parent}) => calleeOf(parent.typeName))
  // Without its version it may be that of any.
  const callees = new Set<Callee>(known.length > 0 ? known : [calleeOf(service), calleeOf(service.replace(/\.(?=[^.]+$)/, '.v1.'))])
  if (callees.has(to)) return []
  return [problem(path, `${[...callees].join(' or ')}, as ${service} is`, to)]
}

/** A method that there is, and of another service. */
function contraryMethod({to, service, method}: Match, path: Path): readonly Problem[] {
  if (method === undefined || method.includes('*') || service?.includes('*') || unreadMethods.includes(method)) return []
  const all = methodsFor({...(to === undefined ? {} : {to}), ...(service === undefined ? {} : {service})})
  const owners = methodsFor({}).filter(({name}) => name === method)
  if (owners.length === 0 || all.some(({name}) => name === method) || (all.length === 0 && service !== undefined)) return []
  const of = [...new Set(owners.map(({parent}) => parent.typeName))].join(' and ')
  return [problem(path, `a call ${service === undefined ? `to ${to}` : `of ${service}`}, and is one of ${of}`, method)]
}

function withoutFact(fact: NameFact, match: Match, given: string, path: Path): readonly Problem[] {
  const methods = methodsLike(match)
  if (methods.length === 0 || methods.some((method) => canHave(fact, method))) return []
  const {service, to} = match
  const what = match.method ?? `what is said to ${service ?? to}`
  return [problem(path, `left out, as nothing in ${what} says which ${words[fact]} it is about`, given)]
}

const words: Readonly<Record<NameFact, string>> = {pod: 'pod', podUid: 'pod', container: 'container', pvc: 'claim'}

const problem = (path: Path, must: string, is: string): Problem => ({
  what: `${pathWords(path)} must be ${must}: it is '${is}'`,
  path,
  ofKey: false,
})
