// Matchers speak of what is there: of a pod that does not exist, `never` would hold for ever.
import {nearest} from '../base/nearest.ts'
import {type Path, pathWords} from '../base/yaml/path-words.ts'
import type {Problem} from '../base/yaml/problem.ts'
import type {PodManifest} from '../lab/api-server/pod-manifest.ts'
import {actionsOf, ruleWords} from './act.ts'
import {rulesOf, wrongCall, wrongRule} from './cross-check-calls.ts'
import {matchersOf, type PlacedMatcher} from './matchers-of.ts'
import {podsNamed, podsOf} from './pods.ts'
import type {Scenario} from './schema/scenario.ts'

export function matcherProblems(scenario: Scenario): readonly Problem[] {
  const placed = matchersOf(scenario)
  const texts = placed.some(({matcher}) => 'step' in matcher) ? stepTexts(scenario) : []
  return [
    ...placed.flatMap(({matcher, path}) => [
      ...wrongPod({matcher, path}, scenario, '*'),
      ...('call' in matcher ? wrongCall(matcher, path, scenario) : []),
      ...('step' in matcher ? wrongStep(matcher.step, texts, path) : []),
    ]),
    ...rulesOf(scenario).flatMap(({rule, path}) => [
      ...wrongRule({rule, path}, scenario),
      ...wrongPod({matcher: {call: rule.match.method, ...rule.match}, path: [...path, 'match']}, scenario, '0'),
    ]),
  ]
}

const stepTexts = (scenario: Scenario): readonly string[] => [
  ...scenario.rules.map((rule) => `begin with ${ruleWords(rule)}`),
  ...scenario.steps.flatMap((step) => actionsOf(step, scenario).map(({text}) => text)),
]

/** @param copy how copies of a manifest are named here: all of them, or the first */
function wrongPod({matcher, path}: PlacedMatcher, scenario: Scenario, copy: '*' | '0'): readonly Problem[] {
  const pod = 'pod' in matcher ? matcher.pod : undefined
  const found = pod === undefined ? scenario.pods : podsNamed(scenario, pod)
  if (pod !== undefined && found.length === 0) {
    if (podsOf(scenario, pod).length === 0) return [problem([...path, 'pod'], `a pod of this scenario: it is '${pod}'`)]
    return [problem([...path, 'pod'], `one of its copies, as it has a count: it is '${pod}', '${pod}-${copy}' may be meant`)]
  }
  const told = [
    ...('container' in matcher && matcher.container !== undefined
      ? [{name: matcher.container, path: [...path, 'container'], names: namesIn(found, ['initContainers', 'containers'])}]
      : []),
    ...keysOf(matcher, 'containers', path, found),
    ...keysOf(matcher, 'initContainers', path, found),
  ]
  return told
    .filter(({name, names}) => !names.includes(name) && !('runtime' in matcher && name === 'sandbox'))
    .map(({name, names, path: at}) => problem(at, `a container of it: it is '${name}'${meant(name, names)}`))
}

type List = 'containers' | 'initContainers'

/** Copies have those of their manifest. */
function namesIn(pods: readonly Pick<PodManifest, 'spec'>[], lists: readonly List[]): readonly string[] {
  const specs = new Set(pods.map(({spec}) => spec))
  return [...specs].flatMap((spec) => lists.flatMap((list) => (spec[list] ?? []).map(({name}) => name)))
}

function keysOf(matcher: PlacedMatcher['matcher'], list: List, path: Path, pods: readonly Pick<PodManifest, 'spec'>[]) {
  const wanted = list in matcher ? (matcher as {readonly [list]?: object})[list as never] : undefined
  const names = wanted === undefined ? [] : namesIn(pods, [list])
  return Object.keys(wanted ?? {}).map((name) => ({name, path: [...path, list, name], names}))
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
