// Rules in force, and rules that are looked at.

import type {InjectorInfo} from '../proxy/control/control-routes.ts'
import type {RuleView} from '../proxy/control/rule-view.ts'
import type {ExplainedRule, InjectExplained} from '../proxy/trace/explained-rules.ts'
import {dataText} from './data.ts'
import {oneLine} from './escaped.ts'
import {fittedTable} from './fitted-table.ts'

type Output = 'table' | 'json' | 'yaml'

export type InjectorRules = InjectorInfo & {readonly paused: boolean; readonly rules: readonly RuleView[]}

export async function renderInjectorRules(it: InjectorRules, output: Output, terminal: number): Promise<string> {
  if (output !== 'table') return await dataText({apiVersion: 'kubelimbo/v1', kind: 'InjectorRules', ...it}, output)
  const {listen, upstream, expiresAt, pid, paused, rules} = it
  const first = `${listen} before ${upstream} until ${expiresAt}, by the process ${pid}${paused ? ', paused: no rule has a part in any call' : ''}`
  const rows = rules.map(({name, fault, seen, taken, says}) => [name, fault, `${seen}`, `${taken}`, says])
  const table =
    rows.length === 0 ? 'There is no rule.\n' : fittedTable(['NAME', 'FAULT', 'SEEN', 'TAKEN', 'WHAT IT DOES'], rows, terminal, 4)
  return `${oneLine(first)}\n${table}`
}

/** A sentence each, and of a recording what they would have had of it. */
export async function renderInjectExplained(explained: InjectExplained, output: Output): Promise<string> {
  if (output !== 'table') return await dataText({apiVersion: 'kubelimbo/v1', kind: 'ExplainedRules', ...explained}, output)
  const {rules, calls, undecoded = 0} = explained
  const hits = ({seen = 0, taken = 0, unknown = 0}: ExplainedRule) =>
    calls === undefined
      ? ''
      : `; of ${calls} recorded calls ${seen} match and it would have had ${taken}${unknown === 0 ? '' : `, and of ${unknown} it is unknown`}`
  const lines = rules.map((rule) => `${oneLine(`${rule.name}: ${rule.says}${hits(rule)}`)}\n`)
  return [...lines, ...whyUnknown(undecoded, rules)].join('')
}

function whyUnknown(undecoded: number, rules: readonly ExplainedRule[]): readonly string[] {
  const were = undecoded === 1 ? '1 call was recorded without its request' : `${undecoded} calls were recorded without their requests`
  if (undecoded > 0) return [`${were}: record with \`inject --decode\` or \`trace --listen\`.\n`]
  return rules.some(({unknown = 0}) => unknown > 0) ? ['A recording has no fields that are lists, maps or nested in others.\n'] : []
}
