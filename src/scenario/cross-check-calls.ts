// Rules and matchers of calls speak of what calls have: a rule that cannot hit and a `never` that cannot fail prove nothing.
import {nearest} from '../base/nearest.ts'
import {type Path, pathWords} from '../base/yaml/path-words.ts'
import type {Problem} from '../base/yaml/problem.ts'
import type {Service} from '../timeline/event.ts'
import {claimsOf} from './claims.ts'
import {codesOf} from './schema/codes.ts'
import type {CallMatcher} from './schema/matcher.ts'
import {type Method, methodsOf} from './schema/methods.ts'
import type {ScenarioRule} from './schema/rule.ts'
import type {Scenario} from './schema/scenario.ts'

export interface PlacedRule {
  readonly rule: ScenarioRule
  readonly path: Path
}

export function rulesOf({rules, steps}: Scenario): readonly PlacedRule[] {
  return [
    ...rules.map((rule, index) => ({rule, path: ['rules', index]})),
    ...steps.flatMap((step, index) => ('addRule' in step ? [{rule: step.addRule, path: ['steps', index, 'addRule']}] : [])),
  ]
}

export function wrongCall(matcher: CallMatcher, path: Path, scenario: Scenario): readonly Problem[] {
  const {call, to, fault, outcome, class: _, ...asked} = matcher
  const rules = rulesOf(scenario).map(({rule}) => rule.name)
  const service = to ?? serviceOf(call)
  return [
    ...(call === 'any' ? wrongRequest(asked.request, anyMethod(to), path) : wrongMethod(call, to, [...path, 'call'], asked, path)),
    ...wrongVolume(asked.request, [...path, 'request'], scenario),
    ...(fault === undefined ? [] : notOne([...path, 'fault'], 'a rule of this scenario', fault, rules)),
    ...(outcome === undefined ? [] : wrongCode([...path, 'outcome'], outcome, ['OK', 'any', ...codesOf(service)], service)),
  ]
}

export function wrongRule({rule: {match, fault}, path}: PlacedRule, scenario: Scenario): readonly Problem[] {
  const {reply} = fault.plan
  const code = reply.kind === 'replace' && 'code' in reply.with ? reply.with.code : undefined
  const at = [...path, 'match']
  return [
    ...wrongMethod(match.method, match.to, [...at, 'method'], match, at),
    ...wrongVolume(match.request, [...at, 'request'], scenario),
    ...(code === undefined ? [] : wrongCode([...path, 'fault', 'code'], code, codesOf(match.to), match.to)),
  ]
}

type Asked = Pick<CallMatcher, 'pod' | 'container' | 'request'>

function wrongMethod(name: string, to: Service | undefined, at: Path, asked: Asked, path: Path): readonly Problem[] {
  const known = methodsOf(to)
  const method = known.get(name)
  if (method === undefined) return notOne(at, `a call${to === undefined ? '' : ` to ${to}`} that there is`, name, [...known.keys()])
  const absent = (['pod', 'container'] as const).filter((key) => asked[key] !== undefined && !method[key])
  return [
    ...absent.map((key) => problem([...path, key], `left out, as ${name} has no ${key}`, asked[key])),
    ...wrongRequest(asked.request, method, path, name),
  ]
}

function wrongRequest(
  request: CallMatcher['request'] = {},
  method: Pick<Method, 'request'>,
  path: Path,
  name = 'a call',
): readonly Problem[] {
  const fields = Object.keys(method.request)
  return Object.entries(request).flatMap(([field, value]): readonly Problem[] => {
    const at = [...path, 'request', field]
    if (!Object.hasOwn(method.request, field)) {
      const may = fields.length === 0 ? 'none can be asked for' : `there are ${fields.join(', ')}`
      return [{...problem(at, `a field of the request of ${name}, of which ${may}`, field), ofKey: true}]
    }
    const type = method.request[field]
    return typeof value === (type === 'text' ? 'string' : 'number') ? [] : [problem(at, type === 'text' ? 'a text' : 'a number', value)]
  })
}

const anyMethod = (to: Service | undefined): Pick<Method, 'request'> => ({
  request: Object.fromEntries([...methodsOf(to).values()].flatMap(({request}) => Object.entries(request))),
})

function serviceOf(call: string): Service | undefined {
  return (['api', 'cri', 'csi'] as const).find((to) => methodsOf(to).has(call))
}

function wrongCode(path: Path, code: string, codes: readonly string[], to: Service | undefined): readonly Problem[] {
  const what =
    to === 'cri' || to === 'csi'
      ? 'a code of gRPC, such as UNAVAILABLE'
      : 'a code of gRPC or the reason of an HTTP status, such as Conflict'
  return notOne(path, what, code, codes)
}

/** Only calls of drivers have these fields. Handles of inline volumes are the kubelet's, and nobody knows them before. */
function wrongVolume({volume, driver}: Readonly<Record<string, unknown>> = {}, path: Path, scenario: Scenario): readonly Problem[] {
  const handles = claimsOf(scenario).map(({volumeHandle}) => volumeHandle)
  const drivers = scenario.drivers.map(({name}) => name)
  return [
    ...(volume === undefined ? [] : notOne([...path, 'volume'], "a volume's handle of this scenario", `${volume}`, handles)),
    ...(driver === undefined ? [] : notOne([...path, 'driver'], 'a driver of this scenario', `${driver}`, drivers)),
  ]
}

function notOne(path: Path, what: string, word: string, words: readonly string[]): readonly Problem[] {
  if (words.includes(word)) return []
  const near = nearest(word, words)
  return [problem(path, what, near === undefined ? word : `${word}', '${near}' may be meant`, near !== undefined)]
}

function problem(path: Path, must: string, is: unknown, quoted = false): Problem {
  const shown = typeof is === 'string' ? (quoted ? `'${is}` : `'${is}'`) : `${is}`
  return {what: `${pathWords(path)} must be ${must}: it is ${shown}`, path, ofKey: false}
}
