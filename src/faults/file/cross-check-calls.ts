// Of calls that we can read: that their names, their fields and the values of those are such as there are. What is near none of them may be of a
// service that we do not know, and is nobody's mistake.
import type {DescMethod} from '@bufbuild/protobuf'
import {nearest} from '../../base/nearest.ts'
import {type Path, pathWords} from '../../base/yaml/path-words.ts'
import type {Problem} from '../../base/yaml/problem.ts'
import {calleeOf} from '../match/callee.ts'
import type {Rule} from '../rule.ts'
import {wrongEdits} from './cross-check-edits.ts'
import {wrongPer} from './cross-check-per.ts'
import {contraryWords} from './cross-check-words.ts'
import {methodsFor, methodsLike, serviceNames, unreadMethods} from './known-calls.ts'
import {wrongField} from './wrong-field.ts'

/** @param path of the rule */
export function wrongCall(rule: Rule, path: Path): readonly Problem[] {
  const {match} = rule
  const at = [...path, 'match']
  const wrongName = [...wrongService(match.service, [...at, 'service']), ...wrongMethod(rule, [...at, 'method'])]
  const methods = methodsLike(match)
  const contrary = wrongName.length > 0 ? wrongName : contraryWords(rule, path)
  if (contrary.some(({path}) => path.at(-1) === 'method' || path.at(-1) === 'to' || path.at(-1) === 'service')) return contrary
  const more = [...contrary, ...wrongPer(rule, path)]
  if (methods.length === 0) return more
  return [
    ...more,
    ...Object.entries(match.request ?? {}).flatMap(([field, value]) =>
      wrongField(
        methods.map(({input}) => input),
        field,
        {like: value},
        [...at, 'request', field],
      ),
    ),
    ...wrongStream(rule, methods, [...at, 'method']),
    ...wrongEdits(rule, methods, [...path, 'fault']),
  ]
}

function wrongService(service: string | undefined, path: Path): readonly Problem[] {
  if (service === undefined || service.includes('*') || methodsFor({service}).length > 0 || calleeOf(service) !== 'other') return []
  const near = nearest(service, serviceNames)
  return near === undefined || near.split('.').at(-1) === service.split('.').at(-1) ? [] : [meant(path, 'a service', service, near)]
}

function wrongMethod({match}: Rule, path: Path): readonly Problem[] {
  const {method} = match
  if (method === undefined || unreadMethods.includes(method) || methodsLike(match).length > 0) return []
  const names = methodsFor(match).map(({name}) => name)
  const near = nearest(method, names)
  return near === undefined ? [] : [meant(path, 'a call that there is', method, near)]
}

function wrongStream({match, fault}: Rule, methods: readonly DescMethod[], path: Path): readonly Problem[] {
  const {kind} = fault.plan.reply
  if ((kind !== 'cut' && kind !== 'stall') || methods.some(({methodKind}) => methodKind === 'server_streaming')) return []
  const must = `a call that is answered with a stream, such as GetContainerEvents, as ${fault.kind} is about streams`
  return [{what: `${pathWords(path)} must be ${must}: it is '${match.method}'`, path, ofKey: false}]
}

const meant = (path: Path, must: string, is: string, near: string): Problem => ({
  what: `${pathWords(path)} must be ${must} ('${near}' may be meant): it is '${is}'`,
  path,
  ofKey: false,
})
