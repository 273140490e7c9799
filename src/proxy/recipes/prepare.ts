// A recipe for what it is to aim at on this node: the rules, the socket to stand before, and what a person is told before it begins.

import {UserError} from '../../base/errors.ts'
import {wrongRule} from '../../faults/file/cross-check.ts'
import type {Rule} from '../../faults/rule.ts'
import {type Profile, profileNearest} from '../../kubelet/profiles.ts'
import {findTarget} from './aim/find-target.ts'
import type {Asked} from './asked.ts'
import type {Facts} from './facts.ts'
import {kubeletSentences} from './kubelet-words.ts'
import type {Recipe, See} from './recipe.ts'
import {rulesOf} from './rules-of.ts'
import {seeCommands} from './see-commands.ts'

export interface Prepared {
  readonly recipe: string
  readonly rules: readonly Rule[]
  /** The socket of the server that the calls go to: a path, or '@name'. */
  readonly upstream: string
  /** What was found and who says so, a sentence each. */
  readonly aim: readonly string[]
  /** What a kubelet of this version will do, sentences in the order of what happens; the first says of which version they are. */
  readonly kubelet: readonly string[]
  /** How to see it. */
  readonly see: readonly See[]
  readonly issues: readonly string[]
  /** `kubelimbo repro` shows it on the model. */
  readonly scenario?: string
}

/** @throws UserError when what was asked for is not there, or not one */
export function prepare(recipe: Recipe, asked: Asked, facts: Facts): Prepared {
  const {narrowing, upstream, words, names, mode} = findTarget(recipe, asked, facts)
  const {kubeletVersion} = facts.snapshot
  const rules = rulesOf(recipe, narrowing, asked.count)
  mustFit(asked, rules)
  const profile = profileNearest(kubeletVersion)
  return {
    recipe: recipe.name,
    rules,
    upstream,
    aim: words,
    kubelet: [versionWords(kubeletVersion, profile), ...kubeletSentences(recipe.kubelet, profile, mode)],
    see: [...seeCommands(recipe.see, names), ...(recipe.scenario === undefined ? [] : [reproOf(recipe.scenario)])],
    issues: recipe.issues,
    ...(recipe.scenario !== undefined && {scenario: recipe.scenario}),
  }
}

/** @throws UserError for a field that calls of its rules do not have: they would take nothing */
function mustFit({request = {}}: Asked, rules: readonly Rule[]): void {
  for (const {what, path} of rules.flatMap((rule) => wrongRule(rule, []))) {
    const [match, part, field = ''] = path
    if (match !== 'match' || part !== 'request' || !Object.hasOwn(request, field)) continue
    const [, must = ''] = /' must (.*): it is /s.exec(what) ?? []
    throw new UserError(`Cannot use --request as it must ${must}: it is '${field}=${request[field]}'`)
  }
}

/** The nearest model is older than the kubelet, or as old. */
function versionWords(version: string | undefined, {version: modelled, observed}: Profile): string {
  const source = observed ? '' : '; its timings follow the sources, and are unobserved'
  if (version === undefined) return `The version of the kubelet is not known: this is told of ${modelled}${source}.`
  const plain = version.replace(/^v/, '')
  return plain === modelled ? `The kubelet is ${plain}${source}.` : `The kubelet is ${plain}, told here as ${modelled} is${source}.`
}

const reproOf = (scenario: string): See => ({
  command: `kubelimbo repro ${scenario} -v`,
  why: 'the same on the model of the kubelet, before and after its fix',
})
