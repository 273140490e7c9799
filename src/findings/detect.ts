// Runs the detectors over a snapshot and says what each could not see.
import type {Profile} from '../kubelet/profiles.ts'
import {reconstruct} from '../kubelet/traces/reconstruct.ts'
import {traceOf} from '../kubelet/traces/trace.ts'
import {known} from '../node/reading.ts'
import {type Snapshot, sourceNames} from '../node/snapshot.ts'
import {withCauses} from './causes.ts'
import type {DetectContext, Detector, Unseen} from './detector.ts'
import {type Finding, inReportOrder} from './finding.ts'
import {usable, whyUnusable} from './usable.ts'

export interface Detection {
  /** Codes whose evidence was there: no finding of these means that it is not so. */
  readonly looked: readonly string[]
  readonly unseen: readonly Unseen[]
  readonly findings: readonly Finding[]
}

/** What detectors look at. The same object serves whoever asks about their findings afterwards. */
export function contextOf(snapshot: Snapshot, profile: Profile): DetectContext {
  const trace = traceOf(known(snapshot.readings['kubelet.log']) ?? [], known(snapshot.readings['kernel.boot'])?.at)
  return {snapshot, belief: reconstruct(snapshot, profile), trace, profile}
}

export function detect(snapshot: Snapshot, profile: Profile, detectors: readonly Detector[]): Detection {
  return detectIn(contextOf(snapshot, profile), detectors)
}

export function detectIn(context: DetectContext, detectors: readonly Detector[]): Detection {
  const {snapshot, profile} = context
  const supplied = detectors.filter((detector) => detector.needs(profile).every((group) => group.some((name) => usable(snapshot, name))))
  const blind = supplied.map((detector) => detector.cannotLook?.(context))
  const able = supplied.filter((_, index) => blind[index] === undefined)
  const first = withCauses(able.flatMap((detector) => (detector.last ? [] : detector.detect(context))))
  const findings = [...first, ...able.flatMap((detector) => (detector.last ? detector.detect(context, first) : []))]
  const besides = able.map((detector) => detector.besides?.(context))
  const unseen = unseenOf(snapshot, bySource([...blind, ...besides]))
  return {looked: able.map((detector) => detector.code), unseen, findings: inReportOrder(findings)}
}

/** All that was said of a source, each once. */
function bySource(doubts: readonly (Unseen | undefined)[]): ReadonlyMap<string, string> {
  const whys = new Map<string, Set<string>>()
  for (const doubt of doubts) {
    if (doubt === undefined) continue
    const {source, why} = doubt
    whys.set(source, (whys.get(source) ?? new Set()).add(why))
  }
  return new Map([...whys].map(([source, all]) => [source, [...all].join('; ')]))
}

function unseenOf(snapshot: Snapshot, doubts: ReadonlyMap<string, string>): Unseen[] {
  const unseen = sourceNames.flatMap((source): Unseen[] => {
    const why = whyUnusable(snapshot, source) ?? doubts.get(source)
    return why === undefined ? [] : [{source, why}]
  })
  const others = Object.entries(snapshot.unread).map(([source, why]) => ({source, why}))
  return [...unseen, ...others].toSorted((a, b) => (a.source < b.source ? -1 : 1))
}
