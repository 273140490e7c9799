// What is younger than its grace may be work in progress: only its own evidence is read again, some seconds later, and what is gone by then was nothing.
import type {Clock} from '../base/clock.ts'
import {formatDuration} from '../base/duration.ts'
import {readInstant} from '../base/instant.ts'
import type {Profile} from '../kubelet/profiles.ts'
import type {Snapshot, SourceName} from '../node/snapshot.ts'
import {sourceNames} from '../node/snapshot.ts'
import {withCauses} from './causes.ts'
import {type Detection, detect} from './detect.ts'
import type {Detector} from './detector.ts'
import {type Finding, inReportOrder} from './finding.ts'
import {findingKey} from './finding-key.ts'

/** Two looks that are this far apart do not meet the same step of the kubelet. */
export const secondLookMs = 5000

export interface SecondLook {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds since 1970: when the whole must have ended. */
  readonly until: number
  readonly detectors: readonly Detector[]
  /** Reads these sources once more, within so many milliseconds; the others as they were. */
  read(sources: ReadonlySet<SourceName>, deadlineMs: number): Promise<Snapshot>
  /** For a person who waits. */
  tell(text: string): void
}

/** The detection, without the young findings that were gone at the second look. */
export async function lookAgain(first: Detection, snapshot: Snapshot, profile: Profile, look: SecondLook): Promise<Detection> {
  const {clock, signal, until, detectors, read, tell} = look
  const young = youngOf(first.findings, snapshot.when, detectors)
  if (young.length === 0) return first
  const codes = [...new Set(young.map(({code}) => code))].join(', ')
  const left = until - clock.now() - secondLookMs
  if (left < secondLookMs) {
    tell(`no time is left to look again at ${codes}: give it longer with --deadline`)
    return first
  }
  tell(`looking again in ${formatDuration(secondLookMs)}, as these may be on their way: ${codes} (--once: do not)`)
  await clock.sleep(secondLookMs, signal)
  const again = detect(await read(sourcesOf(young, profile, detectors), left), profile, detectors)
  return confirmed(first, young, again)
}

/** Those that are younger than their grace, and those of unknown age that stand on views which were not taken at one moment. */
export function youngOf(findings: readonly Finding[], when: number, detectors: readonly Detector[]): readonly Finding[] {
  const byCode = new Map(detectors.map((detector) => [detector.code, detector]))
  return findings.filter(({code, since}) => {
    const detector = byCode.get(code)
    if (detector === undefined) return false
    const at = readInstant(since)
    return at === undefined ? detector.sampleTwice === true : when - at < detector.graceMs
  })
}

/** What each needs, and what it names as its evidence. */
function sourcesOf(findings: readonly Finding[], profile: Profile, detectors: readonly Detector[]): ReadonlySet<SourceName> {
  const codes = new Set(findings.map(({code}) => code))
  const needed = detectors.filter(({code}) => codes.has(code)).flatMap((detector) => detector.needs(profile).flat())
  const named = new Set(findings.flatMap(({evidence}) => evidence.map(({source}) => source)))
  return new Set([...needed, ...sourceNames.filter((name) => named.has(name))])
}

/** A detector that could not look the second time has disproved nothing. */
export function confirmed(first: Detection, young: readonly Finding[], again: Detection): Detection {
  const doubtful = new Set(young.map(findingKey))
  const now = new Map(again.findings.map((finding) => [findingKey(finding), finding]))
  const looked = new Set(again.looked)
  const findings = first.findings.flatMap((finding) => {
    const key = findingKey(finding)
    if (!doubtful.has(key) || !looked.has(finding.code)) return [finding]
    return now.get(key) ?? []
  })
  return {...first, findings: inReportOrder(withCauses(findings))}
}
