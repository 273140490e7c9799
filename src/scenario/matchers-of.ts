// All matchers of a scenario, each with its place in the file.
import type {Path} from '../base/yaml/path-words.ts'
import type {Expectation} from './schema/expectation.ts'
import type {Matcher, Seen} from './schema/matcher.ts'
import type {Scenario} from './schema/scenario.ts'

export interface PlacedMatcher {
  /** That of `last` has no kind: it is what a watcher sees. */
  readonly matcher: Matcher | Seen
  readonly path: Path
}

export function matchersOf({steps, given, expect, finding}: Scenario): readonly PlacedMatcher[] {
  return [
    ...steps.flatMap(({after}, index) => (after === undefined ? [] : [{matcher: after, path: ['steps', index, 'after']}])),
    ...(typeof finding?.at === 'object' ? [{matcher: finding.at, path: ['finding', 'at']}] : []),
    ...given.flatMap((each, index) => matchersIn(each, ['given', index])),
    ...Object.entries(expect).flatMap(([key, {that}]) => that.flatMap((each, index) => matchersIn(each, ['expect', key, 'that', index]))),
  ]
}

function matchersIn(expectation: Expectation, path: Path): readonly PlacedMatcher[] {
  return Object.entries(expectation).flatMap(([key, value]): readonly PlacedMatcher[] => {
    const here = [...path, key]
    if (Array.isArray(value)) return value.map((matcher: Matcher, index) => ({matcher, path: [...here, index]}))
    if (key === 'count') return [{matcher: (value as {readonly of: Matcher}).of, path: [...here, 'of']}]
    // A path is no matcher.
    if (key === 'onDisk') return []
    // A moment may be a number, and `what` is a text.
    return typeof value === 'object' ? [{matcher: value as Matcher | Seen, path: here}] : []
  })
}
