// What a schema cannot tell: that what a scenario speaks of is there.
import {nearest} from '../base/nearest.ts'
import {driverProblems} from './cross-check-drivers.ts'
import {expectationProblems} from './cross-check-expectations.ts'
import {matcherProblems} from './cross-check-matchers.ts'
import {podProblems} from './cross-check-pods.ts'
import {keyOf, podsOf} from './pods.ts'
import type {Problem} from './problem.ts'
import type {Scenario} from './schema/scenario.ts'
import type {Step} from './schema/step.ts'

export function crossCheck(scenario: Scenario): readonly Problem[] {
  const pods = podProblems(scenario)
  // What acts on too many is not to be looked at one by one.
  if (pods.length > 0) return pods
  const first = [...driverProblems(scenario), ...stepProblems(scenario), ...ruleProblems(scenario), ...expectationProblems(scenario)]
  // They speak of pods and steps: of wrong ones nothing more can be said.
  return first.length > 0 ? first : matcherProblems(scenario)
}

/** Each pod that a step acts on is one. */
const mostActs = 50_000

function stepProblems(scenario: Scenario): readonly Problem[] {
  const {steps} = scenario
  let latest = 0
  let acted = 0
  return steps.flatMap((step, index) => {
    const at = `steps[${index}]`
    const timing =
      (step.at === undefined) === (step.after === undefined)
        ? [problem(`'${at}' must have one of 'at' and 'after': it has ${step.at === undefined ? 'none' : 'both'}`, ['steps', index])]
        : []
    const late =
      step.at !== undefined && step.at + (step.plus ?? 0) > scenario.until
        ? [
            problem(`'${at}.at' must be before the end: it is ${step.at / 1000} s, and that is at ${scenario.until / 1000} s`, [
              'steps',
              index,
              'at',
            ]),
          ]
        : []
    const moment = (step.at ?? latest) + (step.at === undefined ? 0 : (step.plus ?? 0))
    const early =
      moment < latest
        ? [
            problem(`'${at}.at' must not be before the steps above it: it is ${moment / 1000} s, and one is at ${latest / 1000} s`, [
              'steps',
              index,
              'at',
            ]),
          ]
        : []
    latest = Math.max(latest, moment)
    const {pod} = subjectOf(step)
    const before = acted
    acted += pod === undefined ? 1 : podsOf(scenario, pod).length
    const many =
      before <= mostActs && acted > mostActs
        ? [problem(`'steps' must act on at most ${mostActs} pods in all: with '${at}' it is ${acted}`, ['steps', index])]
        : []
    return [...timing, ...late, ...early, ...many, ...unknownPod(step, index, scenario), ...unknownContainer(step, index, scenario)]
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
  return [problem(`'steps[${index}].${action}' must be a pod of this scenario: it is '${pod}'${meant}`, ['steps', index, action])]
}

function unknownContainer(step: Step, index: number, scenario: Scenario): readonly Problem[] {
  const {action, pod, container} = subjectOf(step)
  const spec = pod === undefined ? undefined : podsOf(scenario, pod)[0]?.spec
  if (container === undefined || spec === undefined) return []
  const names = [...(spec.initContainers ?? []), ...spec.containers].map(({name}) => name)
  if (names.includes(container)) return []
  const path = ['steps', index, action, 'container']
  return [problem(`'steps[${index}].${action}.container' must be one of ${names.join(', ')}: it is '${container}'`, path)]
}

function ruleProblems({rules, steps}: Scenario): readonly Problem[] {
  const names = [...rules.map(({name}) => name), ...steps.flatMap((step) => ('addRule' in step ? [step.addRule.name] : []))]
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  if (twice.length > 0) return [problem(`'rules' must have names of their own: '${twice[0]}' is there twice`, ['rules'], true)]
  return steps.flatMap((step, index) =>
    'removeRule' in step && !names.includes(step.removeRule)
      ? [
          problem(`'steps[${index}].removeRule' must be a rule of this scenario: it is '${step.removeRule}'`, [
            'steps',
            index,
            'removeRule',
          ]),
        ]
      : [],
  )
}

const problem = (what: string, path: Problem['path'], ofKey = false): Problem => ({what, path, ofKey})
