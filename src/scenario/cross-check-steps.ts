// Steps come one after the other, before the end, and are done to what is there.
import {nearest} from '../base/nearest.ts'
import {type Path, pathWords} from '../base/yaml/path-words.ts'
import type {Problem} from '../base/yaml/problem.ts'
import {keyOf, podsOf} from './pods.ts'
import type {Scenario} from './schema/scenario.ts'
import type {Step} from './schema/step.ts'

export function stepProblems(scenario: Scenario): readonly Problem[] {
  return [
    ...tooManyActs(scenario),
    ...scenario.steps.flatMap((step, index) => [
      ...wrongMoment(step, index, scenario),
      ...unknownPod(step, index, scenario),
      ...unknownContainer(step, index, scenario),
    ]),
    ...outOfOrder(scenario),
  ]
}

/** Each pod that a step acts on is one. */
const mostActs = 100_000

function tooManyActs(scenario: Scenario): readonly Problem[] {
  const acts = scenario.steps.reduce((sum, step) => {
    const {pod} = subjectOf(step)
    return sum + (pod === undefined ? 1 : podsOf(scenario, pod).length)
  }, 0)
  return acts > mostActs
    ? [problem(['steps'], `about at most ${mostActs} pods in all, each as often as it is acted on: they are ${acts}`)]
    : []
}

function wrongMoment({at, after, plus = 0}: Step, index: number, {until}: Scenario): readonly Problem[] {
  const path = ['steps', index]
  if ((at === undefined) === (after === undefined)) {
    return [
      {what: `${pathWords(path)} must have one of 'at' and 'after': it has ${at === undefined ? 'none' : 'both'}`, path, ofKey: false},
    ]
  }
  if (at === undefined || at + plus <= until) return []
  return [problem([...path, 'at'], `before the end: it is ${(at + plus) / 1000} s, and that is at ${until / 1000} s`)]
}

/** It would be done late, and nobody would be told. */
function outOfOrder({steps, until}: Scenario): readonly Problem[] {
  let latest = 0
  return steps.flatMap(({at, plus = 0}, index) => {
    // Of one that is too late others say so.
    if (at === undefined || at + plus > until) return []
    const moment = at + plus
    const before = latest
    latest = Math.max(latest, moment)
    if (moment >= before) return []
    return [
      problem(
        ['steps', index, 'at'],
        `at or after the step before it: it is ${moment / 1000} s, and one above it is at ${before / 1000} s`,
      ),
    ]
  })
}

/** The step's action, with the pod that it is about. */
function subjectOf(step: Step): {readonly action: string; readonly pod?: string; readonly container?: string} {
  for (const [action, value] of Object.entries(step)) {
    if (action === 'create' || action === 'removeFinalizers') return {action, pod: value as string}
    if (typeof value === 'object' && value !== null && 'pod' in value && action !== 'after')
      return {action, ...(value as {pod: string; container?: string})}
  }
  return {action: ''}
}

function unknownPod(step: Step, index: number, scenario: Scenario): readonly Problem[] {
  const {action, pod} = subjectOf(step)
  if (pod === undefined || podsOf(scenario, pod).length > 0) return []
  const names = scenario.pods.map(keyOf)
  const near = nearest(pod, names)
  const meant = near === undefined ? '' : `, '${near}' may be meant`
  return [problem(['steps', index, action], `a pod of this scenario: it is '${pod}'${meant}`)]
}

function unknownContainer(step: Step, index: number, scenario: Scenario): readonly Problem[] {
  const {action, pod, container} = subjectOf(step)
  const spec = pod === undefined ? undefined : podsOf(scenario, pod)[0]?.spec
  if (container === undefined || spec === undefined) return []
  const names = [...(spec.initContainers ?? []), ...spec.containers].map(({name}) => name)
  if (names.includes(container)) return []
  return [problem(['steps', index, action, 'container'], `one of ${names.join(', ')}: it is '${container}'`)]
}

const problem = (path: Path, must: string): Problem => ({what: `${pathWords(path)} must be ${must}`, path, ofKey: false})
