// A recipe before it begins: what was found, what the kubelet will do, and how to see it.
import {explain} from '../faults/explain.ts'
import type {Prepared} from '../proxy/recipes/prepare.ts'
import type {ExplainedRule} from '../proxy/trace/explained-rules.ts'
import {escapedJson, oneLine} from './escaped.ts'
import type {InjectOutput} from './inject.ts'

export function recipeLines(prepared: Prepared, output: InjectOutput): string {
  const rules = prepared.rules.map((rule): ExplainedRule => ({name: rule.name, fault: rule.fault.kind, says: explain(rule)}))
  const told = {...prepared, rules}
  if (output === 'json') return `${escapedJson(JSON.stringify({apiVersion: 'kubelimbo/v1', kind: 'Recipe', ...told}))}\n`
  const {aim, kubelet, see, issues} = told
  const [version = '', ...sentences] = kubelet
  const wide = Math.max(...see.map(({command}) => command.length))
  const lines = [
    ...aim,
    rules.length === 1 ? 'The rule:' : 'The rules:',
    ...rules.map(({name, says}) => `  ${name}  ${says}`),
    version,
    ...sentences.map((each) => `  - ${each}`),
    'To see it:',
    // A long one does not push the others to the right.
    ...see.map(({command, why}) => `  ${command.padEnd(Math.min(wide, 40))}  # ${why}`),
    ...(issues.length === 0 ? [] : [`See ${issues.join(', ')}.`]),
  ]
  return `${lines.map(oneLine).join('\n')}\n\n`
}
