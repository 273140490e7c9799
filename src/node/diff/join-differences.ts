// What two sources say alike is said once, and a pod that went and came under one name is a pod that was made anew.
import {changedFacts} from './compare-things.ts'
import type {Difference} from './thing.ts'
import {idField} from './views/pods.ts'

export function joined(differences: readonly Difference[]): Difference[] {
  return onceEach(recreated(differences))
}

function onceEach(differences: readonly Difference[]): Difference[] {
  const said = new Map<string, Difference>()
  for (const difference of differences) {
    const {sources, ...rest} = difference
    const what = JSON.stringify([rest.group, rest.change, rest.key, 'fields' in rest ? rest.fields : {}])
    const before = said.get(what)
    said.set(what, before === undefined ? difference : {...before, sources: [...new Set([...before.sources, ...sources])]})
  }
  return [...said.values()]
}

/** Of one source, and only where one went and one came: else nobody can tell which follows which. */
function recreated(differences: readonly Difference[]): Difference[] {
  const moved = differences.filter(({group, change}) => group === 'pods' && (change === 'gone' || change === 'appeared'))
  const pairs = Map.groupBy(moved, ({name, sources}) => JSON.stringify([name, sources]))
  const replaced = new Map<Difference, Difference | undefined>()
  for (const [first, second, ...more] of pairs.values()) {
    if (first === undefined || second === undefined || more.length > 0 || first.change === second.change) continue
    const [gone, come] = first.change === 'gone' ? [first, second] : [second, first]
    if (!('facts' in gone) || !('facts' in come)) continue
    const fields = changedFacts(gone.facts, come.facts).filter(({field}) => !idField.test(field))
    const {group, name, sources} = gone
    const [key = ''] = [gone.key, come.key].sort()
    replaced.set(gone, {group, change: 'recreated', key, name, sources, fields})
    replaced.set(come, undefined)
  }
  return differences.flatMap((difference) => (replaced.has(difference) ? (replaced.get(difference) ?? []) : difference))
}
