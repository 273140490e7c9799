// How long the kubelet may still put a thing right by itself.

import type {DetectContext} from './detector.ts'
import type {Severity} from './finding.ts'
import {csiTimeoutMs, longestBackOffMs} from './uncertain/uncertain-call.ts'

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

/** Milliseconds since the node or its kubelet last started, whichever came later; undefined when no source says. */
export function startedAgo({snapshot, trace}: Pick<DetectContext, 'snapshot' | 'trace'>): number | undefined {
  const boot = snapshot.readings['kernel.boot']
  const starts = [...(boot.state === 'read' ? [boot.value.at] : []), ...trace.starts]
  return starts.length === 0 ? undefined : snapshot.when - Math.max(...starts)
}

/** What is amiss may be from before: the kubelet still takes up where it left off. */
export function justStarted(context: Pick<DetectContext, 'snapshot' | 'trace'>): boolean {
  const {when, kubeletProcess} = context.snapshot
  const own = kubeletProcess?.startedAt
  return [startedAgo(context), own === undefined ? undefined : when - own].some((ago) => ago !== undefined && ago < healingMs)
}
