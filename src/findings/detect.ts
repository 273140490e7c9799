// Runs the detectors over a snapshot and says what each could not see.

import type {Profile} from '../kubelet/profiles.ts'
import {reconstruct} from '../kubelet/reconstruct.ts'
import {traceOf} from '../kubelet/trace.ts'
import {known} from '../node/reading.ts'
import {type Snapshot, sourceNames} from '../node/snapshot.ts'
import {withCauses} from './causes.ts'
import type {Detector} from './detector.ts'
import {bySeverity, type Finding} from './finding.ts'
import {usable} from './usable.ts'

export interface Unseen {
  readonly source: string
  readonly why: string
}

export interface Detection {
  /** Codes whose evidence was there: no finding of these means that it is not so. */
  readonly looked: readonly string[]
  readonly unseen: readonly Unseen[]
  readonly findings: readonly Finding[]
}

export function detect(snapshot: Snapshot, profile: Profile, detectors: readonly Detector[]): Detection {
  const belief = reconstruct(snapshot, profile)
  const able = detectors.filter((detector) => detector.needs(profile).every((group) => group.some((name) => usable(snapshot, name))))
  const trace = traceOf(known(snapshot.readings['kubelet.log']) ?? [], known(snapshot.readings['kernel.boot'])?.at)
  const context = {snapshot, belief, trace, profile}
  const findings = withCauses(able.flatMap((detector) => detector.detect(context)))
  return {looked: able.map((detector) => detector.code), unseen: unseenOf(snapshot), findings: findings.toSorted(bySeverity)}
}

function unseenOf(snapshot: Snapshot): Unseen[] {
  const unseen = sourceNames.flatMap((source): Unseen[] => {
    const reading = snapshot.readings[source]
    if (reading.state !== 'read') return [{source, why: reading.why}]
    return reading.incomplete === undefined ? [] : [{source, why: reading.incomplete}]
  })
  const others = Object.entries(snapshot.unread).map(([source, why]) => ({source, why}))
  return [...unseen, ...others].toSorted((a, b) => (a.source < b.source ? -1 : 1))
}
