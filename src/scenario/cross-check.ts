// What a schema cannot tell: that what a scenario speaks of is there.

import type {Problem} from '../base/yaml/problem.ts'
import {driverProblems} from './cross-check-drivers.ts'
import {expectationProblems} from './cross-check-expectations.ts'
import {matcherProblems} from './cross-check-matchers.ts'
import {mountProblems} from './cross-check-mounts.ts'
import {podProblems, tooManyPods} from './cross-check-pods.ts'
import {stepProblems} from './cross-check-steps.ts'
import type {Scenario} from './schema/scenario.ts'

export function crossCheck(scenario: Scenario): readonly Problem[] {
  const many = tooManyPods(scenario)
  if (many.length > 0) return many
  const first = [
    ...podProblems(scenario),
    ...mountProblems(scenario),
    ...driverProblems(scenario),
    ...stepProblems(scenario),
    ...ruleProblems(scenario),
    ...expectationProblems(scenario),
  ]
  // They speak of pods and steps: of wrong ones nothing more can be said.
  return first.length > 0 ? first : matcherProblems(scenario)
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
