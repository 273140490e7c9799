// Expectations that could not fail, or say two things of one kubelet.

import {type Path, pathWords} from '../base/yaml/path-words.ts'
import type {Problem} from '../base/yaml/problem.ts'
import {profileVersions} from '../kubelet/profiles.ts'
import type {Expectation} from './schema/expectation.ts'
import {type Scenario, versionsOf} from './schema/scenario.ts'

export function expectationProblems(scenario: Scenario): readonly Problem[] {
  const {given, expect, finding, until} = scenario
  return [
    ...profileProblems(scenario),
    ...given.flatMap((each, index) => windowProblems(each, ['given', index], until)),
    ...Object.entries(expect).flatMap(([key, {that}]) =>
      that.flatMap((each, index) => windowProblems(each, ['expect', key, 'that', index], until)),
    ),
    ...tooLate(finding?.at, ['finding', 'at'], until),
  ]
}

function profileProblems({expect}: Scenario): readonly Problem[] {
  const told = new Set<string>()
  const twice = Object.keys(expect).flatMap((key) =>
    versionsOf(key).flatMap((version) => {
      const before = told.has(version)
      told.add(version)
      if (!before) return []
      const what = `'expect' must say of each kubelet once what is expected of it: it does of ${version} again`
      return [{what, path: ['expect', key], ofKey: true}]
    }),
  )
  const missing = told.has('default') ? [] : profileVersions.filter((version) => !told.has(version))
  if (missing.length === 0) return twice
  const what = `'expect' must say something of every kubelet: it has neither 'default' nor ${missing.join(', ')}`
  return [...twice, {what, path: ['expect'], ofKey: true}]
}

function windowProblems(expectation: Expectation, path: Path, end: number): readonly Problem[] {
  const {since, until, after, at} = expectation as {readonly [key in 'since' | 'until' | 'after' | 'at']?: unknown}
  const turned =
    typeof since === 'number' && typeof until === 'number' && since >= until
      ? [late([...path, 'since'], `before its 'until', which is at ${until / 1000} s`, since)]
      : []
  return [
    ...turned,
    ...tooLate(since, [...path, 'since'], end),
    ...tooLate(until, [...path, 'until'], end),
    ...tooLate(after, [...path, 'after'], end),
    ...tooLate(at, [...path, 'at'], end),
  ]
}

function tooLate(moment: unknown, path: Path, end: number): readonly Problem[] {
  if (typeof moment !== 'number' || moment <= end) return []
  return [{what: `${pathWords(path)} must be before the end: it is ${moment / 1000} s, and that is at ${end / 1000} s`, path, ofKey: false}]
}

const late = (path: Path, must: string, is: number): Problem => ({
  what: `${pathWords(path)} must be ${must}: it is ${is / 1000} s`,
  path,
  ofKey: false,
})
