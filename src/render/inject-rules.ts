// Rules in force, and rules that are looked at.

import type {InjectorInfo} from '../proxy/control/control-routes.ts'
import type {RuleView} from '../proxy/control/rule-view.ts'
import type {InjectExplained} from '../proxy/trace/explained-rules.ts'
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
  const {rules, calls} = explained
  const hits = ({seen = 0, taken = 0}: {readonly seen?: number; readonly taken?: number}) =>
    calls === undefined ? '' : `; of ${calls} recorded calls ${seen} match and it would have had ${taken}`
  return rules.map((rule) => `${oneLine(`${rule.name}: ${rule.says}${hits(rule)}`)}\n`).join('')
}
