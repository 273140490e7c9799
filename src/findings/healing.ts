// How long the kubelet may still put a thing right by itself.

import {formatInstant} from '../base/instant.ts'
import type {SourceName} from '../node/snapshot.ts'
import {csiTimeoutMs} from './call-words.ts'
import type {DetectContext} from './detector.ts'
import type {Severity} from './finding.ts'
import {later, type Proof} from './since.ts'
import {longestBackOffMs} from './uncertain/uncertain-call.ts'

/** Two tries, so that one may fail, each followed by the longest pause. */
export const healingMs = 2 * (csiTimeoutMs + longestBackOffMs)

/** `grave` of what is left over, once it is known to be old: no age, no alarm (docs/decisions.md, 15). */
export function leftFor(ageMs: number | undefined, grave: Severity): Severity {
  return ageMs === undefined || ageMs < healingMs ? 'info' : grave
}

/** `grave` of what is broken now, unless its pod has begun to go and may yet take it away; undefined of a pod that stays. */
export function unlessGoing(goingMs: number | undefined, grave: Severity): Severity {
  return goingMs !== undefined && goingMs < healingMs ? 'info' : grave
}

/** When the node or its kubelet last started, whichever came later; undefined when no source says. */
export function lastStart({snapshot, trace}: Pick<DetectContext, 'snapshot' | 'trace'>): Proof | undefined {
  const boot = snapshot.readings['kernel.boot']
  const starts = [
    ...(boot.state === 'read' ? [startOf('the node', 'kernel.boot', boot.value.at)] : []),
    ...trace.starts.map((at) => startOf('the kubelet', 'kubelet.log', at)),
  ]
  return starts.length === 0 ? undefined : starts.reduce(later)
}

function startOf(what: string, source: SourceName, at: number): Proof {
  return {at, evidence: [{source, fact: `${what} started at ${formatInstant(at)}`}]}
}

/** Milliseconds since then. */
export function startedAgo(context: Pick<DetectContext, 'snapshot' | 'trace'>): number | undefined {
  const start = lastStart(context)
  return start === undefined ? undefined : context.snapshot.when - start.at
}

/** What is amiss may be from before: the kubelet still takes up where it left off. */
export function justStarted(context: Pick<DetectContext, 'snapshot' | 'trace'>): boolean {
  const {when, kubeletProcess} = context.snapshot
  const own = kubeletProcess?.startedAt
  return [startedAgo(context), own === undefined ? undefined : when - own].some((ago) => ago !== undefined && ago < healingMs)
}
