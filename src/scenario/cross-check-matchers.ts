// Matchers speak of what is there: of a pod that does not exist, `never` would hold for ever.
import {nearest} from '../base/nearest.ts'
import type {Service} from '../timeline/event.ts'
import {actionsOf, ruleWords} from './act.ts'
import {claimsOf} from './claims.ts'
import {matchersOf, type PlacedMatcher} from './matchers-of.ts'
import {type Path, pathWords} from './path-words.ts'
import {podsOf} from './pods.ts'
import type {Problem} from './problem.ts'
import {methods} from './schema/methods.ts'
import type {Scenario} from './schema/scenario.ts'

export function matcherProblems(scenario: Scenario): readonly Problem[] {
  const rules = [...scenario.rules, ...scenario.steps.flatMap((step) => ('addRule' in step ? [step.addRule] : []))]
  const texts = [
    ...scenario.rules.map((rule) => `begin with ${ruleWords(rule)}`),
    ...scenario.steps.flatMap((step) => actionsOf(step, scenario).map(({text}) => text)),
  ]
  const named = rules.map(({name}) => name)
  return [
    ...matchersOf(scenario).flatMap((placed) => [
      ...wrongPod(placed, scenario),
      ...wrongCall(placed, named),
      ...('call' in placed.matcher ? wrongVolume(placed.matcher.request, [...placed.path, 'request'], scenario) : []),
      ...('step' in placed.matcher ? wrongStep(placed.matcher.step, texts, placed.path) : []),
    ]),
    ...scenario.rules.flatMap(({match}, index) => wrongRule(match, ['rules', index, 'match'], scenario)),
    ...scenario.steps.flatMap((step, index) =>
      'addRule' in step ? wrongRule(step.addRule.match, ['steps', index, 'addRule', 'match'], scenario) : [],
    ),
  ]
}

function wrongPod({matcher, path}: PlacedMatcher, scenario: Scenario): readonly Problem[] {
  const pod = 'pod' in matcher ? matcher.pod : undefined
  const found = pod === undefined ? scenario.pods : podsOf(scenario, pod)
  if (found.length === 0) return [problem([...path, 'pod'], `a pod of this scenario: it is '${pod}'`)]
  const names = found.flatMap(({spec}) => [...(spec.initContainers ?? []), ...spec.containers].map(({name}) => name))
  const told = [
    ...('container' in matcher && matcher.container !== undefined ? [{name: matcher.container, path: [...path, 'container']}] : []),
    ...keysOf(matcher, 'containers', path),
    ...keysOf(matcher, 'initContainers', path),
  ]
  return told
    .filter(({name}) => !names.includes(name) && !('runtime' in matcher && name === 'sandbox'))
    .map((one) => problem(one.path, `a container of it: it is '${one.name}'${meant(one.name, names)}`))
}

function keysOf(matcher: PlacedMatcher['matcher'], list: 'containers' | 'initContainers', path: Path) {
  const wanted = list in matcher ? (matcher as {readonly [list]?: object})[list as never] : undefined
  return Object.keys(wanted ?? {}).map((name) => ({name, path: [...path, list, name]}))
}

function wrongCall({matcher, path}: PlacedMatcher, rules: readonly string[]): readonly Problem[] {
  if (!('call' in matcher)) return []
  const {call, to, fault} = matcher
  const wrong = call === 'any' ? [] : wrongMethod(call, to, [...path, 'call'])
  if (fault === undefined || rules.includes(fault)) return wrong
  return [...wrong, problem([...path, 'fault'], `a rule of this scenario: it is '${fault}'${meant(fault, rules)}`)]
}

function wrongRule(match: Scenario['rules'][number]['match'], path: Path, scenario: Scenario): readonly Problem[] {
  return [
    ...wrongMethod(match.method, match.to, [...path, 'method']),
    ...wrongVolume(match.request, [...path, 'request'], scenario),
    ...wrongPod({matcher: {call: match.method, ...match}, path}, scenario),
  ]
}

function wrongMethod(method: string, to: Service | undefined, path: Path): readonly Problem[] {
  const known = to === undefined ? Object.values(methods).flat() : methods[to]
  if (known.includes(method)) return []
  return [problem(path, `a call${to === undefined ? '' : ` to ${to}`} that there is: it is '${method}'${meant(method, known)}`)]
}

/** Only calls of drivers have these fields. Handles of inline volumes are the kubelet's, and nobody knows them before. */
function wrongVolume({volume, driver}: Readonly<Record<string, unknown>> = {}, path: Path, scenario: Scenario): readonly Problem[] {
  const handles = claimsOf(scenario).map(({volumeHandle}) => volumeHandle)
  const drivers = scenario.drivers.map(({name}) => name)
  const wrong = (name: string, value: unknown, names: readonly string[], what: string) =>
    value === undefined || names.includes(`${value}`)
      ? []
      : [problem([...path, name], `${what} of this scenario: it is '${value}'${meant(`${value}`, names)}`)]
  return [...wrong('volume', volume, handles, "a volume's handle"), ...wrong('driver', driver, drivers, 'a driver')]
}

function wrongStep(step: string, texts: readonly string[], path: Path): readonly Problem[] {
  if (texts.some((text) => text.includes(step))) return []
  return [problem([...path, 'step'], `in the words of a step: it is '${step}', and they are '${texts.slice(0, 5).join("', '")}'`)]
}

function meant(word: string, words: readonly string[]): string {
  const near = nearest(word, words)
  return near === undefined ? '' : `, '${near}' may be meant`
}

const problem = (path: Path, must: string): Problem => ({what: `${pathWords(path)} must be ${must}`, path, ofKey: false})
