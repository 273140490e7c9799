// Flags as a rule of a file would be written, with the flag that each part comes from.

import {fieldFlags, misused, nthFlag, numberOr, parsedJson, setFlags} from './flag-values.ts'
import type {RuleFlags} from './rule-flags.ts'

export interface WrittenRule {
  readonly rule: Readonly<Record<string, unknown>>
  readonly parts: readonly Part[]
}

export interface Part {
  /** '--code' */
  readonly flag: string
  /** Where it is in the rule: ['fault', 'code']. */
  readonly path: readonly string[]
  readonly value: unknown
  /** As it was given. */
  readonly given: string
}

type Texts = {readonly [Flag in keyof RuleFlags as RuleFlags[Flag] extends string | undefined ? Flag : never]?: RuleFlags[Flag]}

/** What is a text in the rule, too; and what is a number there. */
const texts: readonly (readonly [flag: keyof Texts, path: string, isNumber?: 'number'])[] = [
  ['fault', 'fault.kind'],
  ['name', 'name'],
  ['to', 'match.to'],
  ['service', 'match.service'],
  ['method', 'match.method'],
  ['pod', 'match.pod'],
  ['pod-uid', 'match.podUid'],
  ['container', 'match.container'],
  ['pvc', 'match.pvc'],
  ['skip', 'skip', 'number'],
  ['every', 'every', 'number'],
  ['count', 'limit', 'number'],
  ['per', 'per'],
  ['probability', 'probability', 'number'],
  ['from', 'from'],
  ['until', 'until'],
  ['code', 'fault.code'],
  ['message', 'fault.message'],
  ['scope', 'fault.scope'],
  ['jitter', 'fault.jitter'],
  ['list', 'fault.list'],
  ['bytes', 'fault.bytes'],
  ['rate', 'fault.bytesPerSecond'],
]

/** Of a part that nobody gave. */
export function flagFor(path: string): string | undefined {
  if (path === 'fault.after' || path === 'fault.for') return '--after'
  const found = texts.find(([, each]) => each === path)
  return found === undefined ? undefined : `--${found[0]}`
}

/** @throws UserError of what cannot be written as a rule at all */
export function writtenRule(flags: RuleFlags): WrittenRule {
  const parts: readonly Part[] = [
    ...texts.flatMap(([flag, path, isNumber]) => {
      const given = flags[flag]
      return given === undefined ? [] : [part(flag, path.split('.'), isNumber === undefined ? given : numberOr(given), given)]
    }),
    ...(flags.name === undefined ? [part('fault', ['name'], flags.fault)] : []),
    ...nthParts(flags),
    ...waitParts(flags),
    ...fieldFlags('request', flags.request).map(({key, text, given}) => part('request', ['match', 'request', key], text, given)),
    ...setFlags(flags.set).map(({side, key, value, given}) => part('set', ['fault', side, key], value, given)),
    ...entryParts(flags),
    ...detailParts(flags),
    ...(flags.response === undefined
      ? []
      : [part('response', ['fault', 'response'], parsedJson('response', flags.response), flags.response)]),
    ...(flags.stale === true ? [part('stale', ['fault', 'stale'], true, 'true')] : []),
  ]
  const rule: Tree = {}
  for (const {path, value} of parts) put(rule, path, value)
  return {rule, parts}
}

const part = (flag: string, path: readonly string[], value: unknown, given = `${value}`): Part => ({flag: `--${flag}`, path, value, given})

function nthParts({nth, skip, count}: RuleFlags): readonly Part[] {
  if (nth === undefined) return []
  if (skip !== undefined || count !== undefined) throw misused('nth', `left out with --${skip === undefined ? 'count' : 'skip'}`, nth)
  return [part('nth', ['skip'], nthFlag(nth) - 1, nth), part('nth', ['limit'], 1, nth)]
}

/** What comes after is a wait, or a number of messages. */
function waitParts({fault, delay, before, after}: RuleFlags): readonly Part[] {
  if (delay !== undefined && before !== undefined) throw misused('before', 'left out with --delay, which is the same', before)
  const first = fault === 'hold' ? 'for' : 'before'
  const last = fault === 'hold' ? 'for' : 'after'
  return [
    ...(delay === undefined ? [] : [part('delay', ['fault', first], delay)]),
    ...(before === undefined ? [] : [part('before', ['fault', 'before'], before)]),
    ...(after === undefined ? [] : [part('after', ['fault', last], fault.startsWith('stream-') ? numberOr(after) : after, after)]),
  ]
}

/** Of list-edit. A word alone stands for all entries, or for a copy that nothing is changed of. */
function entryParts(flags: RuleFlags): readonly Part[] {
  return (['drop', 'duplicate', 'phantom'] as const).flatMap((flag) => {
    const given = flags[flag]
    const alone = flag === 'phantom' ? 'copy' : 'all'
    if (given?.length === 1 && given[0] === alone) return [part(flag, ['fault', flag], flag === 'phantom' ? {} : 'all', alone)]
    return fieldFlags(flag, given).map(({key, text, value, given}) =>
      part(flag, ['fault', flag, key], flag === 'phantom' ? value : text, given),
    )
  })
}

function detailParts({detail}: RuleFlags): readonly Part[] {
  if (detail === undefined) return []
  const details = fieldFlags('detail', detail).map(({key, text}) => ({type: key, value: text}))
  return [part('detail', ['fault', 'details'], details, detail.join(' '))]
}

interface Tree {
  [key: string]: unknown
}

function put(tree: Tree, [first = '', ...more]: readonly string[], value: unknown): void {
  if (more.length === 0) return void Object.defineProperty(tree, first, {value, enumerable: true, configurable: true, writable: true})
  if (!Object.hasOwn(tree, first)) tree[first] = {}
  put(tree[first] as Tree, more, value)
}
