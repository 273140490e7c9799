// Pods of a scenario are pods that the API server takes, not too many of them, and run what the lab understands.
import {UserError} from '../base/errors.ts'
import {type Path, pathWords} from '../base/yaml/path-words.ts'
import type {Problem} from '../base/yaml/problem.ts'
import {programOf} from '../lab/runtime/container-program.ts'
import {podKeys} from './pods.ts'
import {mostPods} from './schema/pod.ts'
import type {Scenario} from './schema/scenario.ts'

/** Nothing else is asked of so many. */
export function tooManyPods({pods}: Scenario): readonly Problem[] {
  const many = pods.reduce((sum, {count = 1}) => sum + count, 0)
  return many > mostPods ? [problem(['pods'], `at most ${mostPods} in all: they are ${many}`)] : []
}

export function podProblems(scenario: Scenario): readonly Problem[] {
  const seen = new Set<string>()
  const twice = podKeys(scenario).flatMap((keys, index) => {
    const again = keys.find((key) => seen.has(key))
    for (const key of keys) seen.add(key)
    return again === undefined ? [] : [problem(['pods', index, 'metadata', 'name'], `another pod's: it is '${again}' again`)]
  })
  return [...twice, ...scenario.pods.flatMap((pod, index) => [...nameProblems(pod, index), ...commandProblems(pod, index)])]
}

const lists = ['initContainers', 'containers'] as const

/** Of init containers and others together, as the API server has it; of volumes among themselves. */
function nameProblems({spec}: Scenario['pods'][number], pod: number): readonly Problem[] {
  const containers = lists.flatMap((list) =>
    (spec[list] ?? []).map(({name}, index) => ({name, path: ['pods', pod, 'spec', list, index, 'name']})),
  )
  const volumes = (spec.volumes ?? []).map(({name}, index) => ({name, path: ['pods', pod, 'spec', 'volumes', index, 'name']}))
  return [...twice(containers, 'container'), ...twice(volumes, 'volume')]
}

function twice(named: readonly {readonly name: string; readonly path: Path}[], what: string): readonly Problem[] {
  const seen = new Set<string>()
  return named.flatMap(({name, path}) => {
    const before = seen.has(name)
    seen.add(name)
    return before ? [problem(path, `another ${what}'s of its pod: it is '${name}' again`)] : []
  })
}

/** What the lab's shell does not understand is known before anything runs. */
function commandProblems({spec}: Scenario['pods'][number], pod: number): readonly Problem[] {
  return lists.flatMap((list) =>
    (spec[list] ?? []).flatMap(({command = [], lifecycle}, index) => {
      const hook = lifecycle?.postStart?.exec.command ?? []
      return [
        ...commandProblem(command, ['pods', pod, 'spec', list, index, 'command']),
        ...commandProblem(hook, ['pods', pod, 'spec', list, index, 'lifecycle', 'postStart', 'exec', 'command']),
      ]
    }),
  )
}

function commandProblem(command: readonly string[], path: Path): readonly Problem[] {
  try {
    programOf(command)
    return []
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const {message, hint = ''} = error
    return [problem(path, `what the lab understands: it is ${/'.*'$/s.exec(message)?.[0] ?? 'not'}. ${hint}`)]
  }
}

const problem = (path: Path, must: string): Problem => ({what: `${pathWords(path)} must be ${must}`, path, ofKey: false})
