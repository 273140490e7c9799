// Two snapshots: what differs between them, and of what nobody can say it.
import {nodeUid} from '../pod.ts'
import {known} from '../reading.ts'
import {type Snapshot, type SourceName, sourceNames} from '../snapshot.ts'
import {compareThings, type ThingChange} from './compare-things.ts'
import {joined} from './join-differences.ts'
import {type Difference, groups} from './thing.ts'
import type {Pair, View} from './view.ts'
import {csiViews} from './views/csi.ts'
import {kernelViews} from './views/kernel.ts'
import {kubeletViews} from './views/kubelet.ts'
import {podViews} from './views/pods.ts'
import {runtimeViews} from './views/runtime.ts'
import {volumeViews} from './views/volumes.ts'

/** Why nothing can be concluded from what a source lacks; undefined where all of it is there. */
export type WhyNotWhole = (snapshot: Snapshot, source: SourceName) => string | undefined

export interface NotCompared {
  /** A source, or the code of a finding. */
  readonly source: string
  /** Which of the two is to blame. */
  readonly side: 'a' | 'b'
  readonly why: string
}

export interface NodeComparison {
  readonly differences: readonly Difference[]
  readonly notCompared: readonly NotCompared[]
  /** Sources that were read on both sides, if only in part. */
  readonly compared: readonly SourceName[]
}

const views: readonly View[] = [...kubeletViews, ...runtimeViews, ...csiViews, ...podViews, ...volumeViews, ...kernelViews]

/** Sources that no view looks at: their lines are about moments. */
const used = new Set<SourceName>([...views.flatMap(({sources}) => sources), 'kubelet.healthz', 'disk.vol-data'])

export function compareNodes(a: Snapshot, b: Snapshot, whyNotWhole: WhyNotWhole): NodeComparison {
  const pair: Pair = {
    sameNode: a.node === '' || b.node === '' || a.node === b.node,
    podNames: podNames(a, b),
    whole: (snapshot, source) => whyNotWhole(snapshot, source) === undefined,
  }
  const found = views.flatMap((view) => differencesIn(view, a, b, pair))
  const differences = [...sourceDifferences(a, b, whyNotWhole), ...joined(found)].sort(inOrder)
  const notCompared = sourceNames.flatMap((source) =>
    [['a', a] as const, ['b', b] as const].flatMap(([side, snapshot]): NotCompared[] => {
      const why = used.has(source) ? whyNotWhole(snapshot, source) : undefined
      return why === undefined ? [] : [{source, side, why}]
    }),
  )
  return {differences, notCompared, compared: sourceNames.filter((source) => used.has(source) && isRead(a, source) && isRead(b, source))}
}

function differencesIn(view: View, a: Snapshot, b: Snapshot, pair: Pair): Difference[] {
  const {group, sources, onlyChanges} = view
  if (!sources.every((source) => isRead(a, source) && isRead(b, source))) return []
  const seen = (snapshot: Snapshot) => ({
    things: view.things(snapshot, pair),
    whole: onlyChanges === undefined && sources.every((source) => pair.whole(snapshot, source)),
  })
  return compareThings(seen(a), seen(b)).map((change) => ({group, sources, ...said(change)}))
}

function said(change: ThingChange) {
  if (change.change === 'changed') return change
  const {key, name, facts} = change.thing
  const told = Object.entries(facts).filter((entry): entry is [string, string | number | boolean] => entry[1] != null)
  return {change: change.change, key, name, facts: Object.fromEntries(told)}
}

const isRead = ({readings}: Snapshot, source: SourceName) => readings[source].state === 'read'

function sourceDifferences(a: Snapshot, b: Snapshot, whyNotWhole: WhyNotWhole): Difference[] {
  const standing = (snapshot: Snapshot, source: SourceName) =>
    !isRead(snapshot, source) ? 'not read' : whyNotWhole(snapshot, source) === undefined ? 'read' : 'read in part'
  return sourceNames.flatMap((source): Difference[] => {
    const from = standing(a, source)
    const to = standing(b, source)
    if (from === to) return []
    return [{group: 'sources', change: 'changed', key: source, name: source, sources: [source], fields: [{field: 'state', from, to}]}]
  })
}

function podNames(a: Snapshot, b: Snapshot): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const {readings} of [a, b]) {
    for (const pod of [...(known(readings['api.pods']) ?? []), ...(known(readings['kubelet.pods']) ?? [])]) {
      const name = `${pod.namespace}/${pod.name}`
      const before = names.get(nodeUid(pod))
      // The same whichever side is first.
      if (before === undefined || name < before) names.set(nodeUid(pod), name)
    }
  }
  return names
}

function inOrder(one: Difference, other: Difference): number {
  return (
    groups.indexOf(one.group) - groups.indexOf(other.group) ||
    compare(one.name, other.name) ||
    compare(one.key, other.key) ||
    compare(one.sources.join(), other.sources.join())
  )
}

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other))
