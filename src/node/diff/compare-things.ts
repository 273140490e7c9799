// Two lists of things: what appeared, what is gone, what changed about those in both.
import type {Fact, Facts, FieldChange, Thing} from './thing.ts'

export type ThingChange =
  | {readonly change: 'appeared' | 'gone'; readonly thing: Thing}
  | {readonly change: 'changed'; readonly key: string; readonly name: string; readonly fields: readonly FieldChange[]}

export interface Seen {
  readonly things: readonly Thing[]
  /** Nothing of them is missing: what is not among them is not there. */
  readonly whole: boolean
}

export function compareThings(a: Seen, b: Seen): ThingChange[] {
  const before = byKey(a.things)
  const after = byKey(b.things)
  const changes: ThingChange[] = []
  for (const [key, thing] of before) {
    const now = after.get(key)
    if (now !== undefined) changes.push(...changeOf(key, thing, now))
    else if (b.whole) changes.push({change: 'gone', thing: {...thing, key}})
  }
  if (a.whole) for (const [key, thing] of after) if (!before.has(key)) changes.push({change: 'appeared', thing: {...thing, key}})
  return changes
}

/** What is known of either: facts that are known in one only are no change. */
export function changedFacts(a: Facts, b: Facts): FieldChange[] {
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()
  return fields.flatMap((field) => {
    const from = factOf(a, field)
    const to = factOf(b, field)
    return from === undefined || to === undefined || from === to ? [] : [{field, from, to}]
  })
}

function changeOf(key: string, a: Thing, b: Thing): ThingChange[] {
  const fields = changedFacts(a.facts, b.facts)
  if (fields.length === 0) return []
  // The same whichever of them is first.
  const [name = ''] = [a.name, b.name].sort()
  return [{change: 'changed', key, name, fields}]
}

function factOf(facts: Facts, field: string): Fact | undefined {
  return Object.hasOwn(facts, field) ? facts[field] : null
}

/** Broken nodes have two of what there should be one: the second is another thing. */
function byKey(things: readonly Thing[]): Map<string, Thing> {
  const found = new Map<string, Thing>()
  const times = new Map<string, number>()
  for (const thing of things) {
    const time = (times.get(thing.key) ?? 0) + 1
    times.set(thing.key, time)
    found.set(time === 1 ? thing.key : JSON.stringify([thing.key, time]), thing)
  }
  return found
}
