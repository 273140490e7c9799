// What a schema cannot tell: that what a scenario speaks of is there.
import {UserError} from '../base/errors.ts'
import {nearest} from '../base/nearest.ts'
import {profileVersions} from '../kubelet/profiles.ts'
import {programOf} from '../lab/container-program.ts'
import {driverProblems} from './cross-check-drivers.ts'
import {matcherProblems} from './cross-check-matchers.ts'
import {pathWords} from './path-words.ts'
import {keyOf, podsOf} from './pods.ts'
import type {Problem} from './problem.ts'
import {type Scenario, versionsOf} from './schema/scenario.ts'
import type {Step} from './schema/step.ts'

export function crossCheck(scenario: Scenario): readonly Problem[] {
  const first = [
    ...podProblems(scenario),
    ...driverProblems(scenario),
    ...stepProblems(scenario),
    ...ruleProblems(scenario),
    ...profileProblems(scenario),
  ]
  // They speak of pods and steps: of wrong ones nothing more can be said.
  return first.length > 0 ? first : matcherProblems(scenario)
}

function podProblems({pods}: Scenario): readonly Problem[] {
  const names = pods.map(keyOf)
  return pods.flatMap((pod, index) => [
    ...(names.indexOf(names[index] ?? '') === index
      ? []
      : [
          problem(`'pods[${index}].metadata.name' must be another pod's: it is '${names[index]}' again`, [
            'pods',
            index,
            'metadata',
            'name',
          ]),
        ]),
    ...commandProblems('initContainers', pod, index),
    ...commandProblems('containers', pod, index),
  ])
}

/** What the lab's shell does not understand is known before anything runs. */
function commandProblems(list: 'containers' | 'initContainers', {spec}: Scenario['pods'][number], pod: number): readonly Problem[] {
  return (spec[list] ?? []).flatMap(({command = [], lifecycle}, index) => {
    const hook = lifecycle?.postStart?.exec.command ?? []
    return [
      ...commandProblem(command, ['pods', pod, 'spec', list, index, 'command']),
      ...commandProblem(hook, ['pods', pod, 'spec', list, index, 'lifecycle', 'postStart', 'exec', 'command']),
    ]
  })
}

function commandProblem(command: readonly string[], path: Problem['path']): readonly Problem[] {
  try {
    programOf(command)
    return []
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const {message, hint = ''} = error
    return [problem(`${pathWords(path)} must be what the lab understands: it is ${/'.*'$/.exec(message)?.[0] ?? 'not'}. ${hint}`, path)]
  }
}

function stepProblems(scenario: Scenario): readonly Problem[] {
  const {steps} = scenario
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
    return [...timing, ...late, ...unknownPod(step, index, scenario), ...unknownContainer(step, index, scenario)]
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

function profileProblems({expect}: Scenario): readonly Problem[] {
  const told = new Set(Object.keys(expect).flatMap(versionsOf))
  const missing = told.has('default') ? [] : profileVersions.filter((version) => !told.has(version))
  return missing.length === 0
    ? []
    : [problem(`'expect' must say something of every kubelet: it has neither 'default' nor ${missing.join(', ')}`, ['expect'], true)]
}

const problem = (what: string, path: Problem['path'], ofKey = false): Problem => ({what, path, ofKey})
