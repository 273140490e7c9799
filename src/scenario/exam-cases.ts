// The cases of an exam as they fit one driver: each is a scenario about a driver that has no name yet and stages its volumes.

import {UserError} from '../base/errors.ts'
import {likely} from '../base/nearest.ts'
import {shippedFiles} from '../base/shipped-files.ts'
import type {VolumeMode} from '../kubelet/csi.ts'
import {parseScenario} from './read-scenario.ts'
import type {Expectation} from './schema/expectation.ts'
import type {Matcher} from './schema/matcher.ts'
import type {Scenario} from './schema/scenario.ts'

/** In the order in which they are told of. @param names none: all @throws UserError when there is no case of a name */
export async function examCases(names: readonly string[], driver: string): Promise<readonly Scenario[]> {
  const all = (await shippedFiles('fixtures/exam')).map(({path, text}) => parseScenario(text.replaceAll(standIn, driver), path))
  for (const name of names) {
    if (all.some((each) => each.name === name)) continue
    const known = all.map((each) => each.name)
    const [near] = likely(name, known)
    throw new UserError(`Cannot find the case as it must be one of ${known.join(', ')}: it is '${name}'`, {
      ...(near === undefined ? {} : {hint: `'${near}' may be meant`}),
    })
  }
  const wanted = names.length === 0 ? all : all.filter(({name}) => names.includes(name))
  return [...wanted].sort((a, b) => ranked.indexOf(a.name) - ranked.indexOf(b.name))
}

/** Whom the files name. */
const standIn = 'csi.example.com'

/** First what must be for the others to say anything. */
const ranked = [
  'use-and-leave',
  'late-stage',
  'late-publish',
  'unstage-after-timed-out-stage',
  'unpublish-after-timed-out-publish',
  'aborted-while-pending',
  'duplicates',
  'unpublish-without-target',
  'unstage-without-stage',
  'kubelet-restart',
  'driver-restart',
]

export interface ExamVolume {
  readonly handle: string
  readonly mode: VolumeMode
  readonly fsType: string
  readonly context: Readonly<Record<string, string>>
}

/** @param stages whether the driver has NodeStageVolume. @returns undefined: the case is about nothing else */
export function examCase(scenario: Scenario, {handle, mode, fsType, context}: ExamVolume, stages: boolean): Scenario | undefined {
  // What a file cannot say of a claim is kept beside what it can.
  const volume = {volumeHandle: handle, volumeMode: mode, fsType, volumeAttributes: context}
  const own = {...scenario, claims: scenario.claims.map((claim) => ({...claim, ...volume}))}
  return stages ? own : withoutStaging(own)
}

function withoutStaging(scenario: Scenario): Scenario | undefined {
  const rules = scenario.rules.filter(({match}) => !isStaging(match.method))
  if (scenario.rules.length > 0 && rules.length === 0) return undefined
  const kept = (all: readonly Expectation[]) => all.flatMap((each) => unstaged(each) ?? [])
  const expect = Object.fromEntries(Object.entries(scenario.expect).map(([key, each]) => [key, {...each, that: kept(each.that)}]))
  return {...scenario, rules, given: kept(scenario.given), expect} as Scenario
}

/** @returns undefined: it is about nothing else */
function unstaged(expectation: Expectation): Expectation | undefined {
  if ('eventually' in expectation) return isStagingMatcher(expectation.eventually) ? undefined : expectation
  if ('never' in expectation) return isStagingMatcher(expectation.never) ? undefined : expectation
  if ('count' in expectation) return isStagingMatcher(expectation.count.of) ? undefined : expectation
  if (!('ordered' in expectation)) return expectation
  const {what, ordered} = expectation
  const [only, ...others] = ordered.filter((each) => !isStagingMatcher(each))
  if (only === undefined) return undefined
  if (others.length > 0) return {...expectation, ordered: [only, ...others]}
  return {...(what === undefined ? {} : {what}), eventually: only}
}

const isStaging = (method: string): boolean => method === 'NodeStageVolume' || method === 'NodeUnstageVolume'
const isStagingMatcher = (matcher: Matcher): boolean => 'call' in matcher && isStaging(matcher.call)
