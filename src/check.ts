// Judges a node: what is in limbo, why, and what was not seen.
import {comparedTo, readBaseline, strangerWarnings} from './findings/baseline.ts'
import {detect} from './findings/detect.ts'
import {detectors} from './findings/detectors.ts'
import type {Severity} from './findings/finding.ts'
import {lookAgain} from './findings/look-again.ts'
import {type CheckReport, checkReport} from './findings/report.ts'
import {type Verdict, verdictOf} from './findings/verdict.ts'
import {profileNearest, profileOf} from './kubelet/profiles.ts'
import type {Machine} from './node/runtime-source.ts'
import type {SnapshotRequest} from './node/snapshot-request.ts'
import {takeSnapshot} from './node/take-snapshot.ts'

export interface CheckRequest extends SnapshotRequest {
  /** A modelled version; default: the one nearest to the kubelet's. */
  readonly profile?: string
  /** The mildest severity that is a failure. */
  readonly failOn: Severity
  /** A file with an earlier report: what it knows does not fail. */
  readonly baseline?: string
  /** Believes the first look: what is young is not looked at again. */
  readonly once: boolean
  /** 'kubelimbo 0.1.0'. */
  readonly tool: string
}

export interface Checked {
  readonly report: CheckReport
  readonly verdict: Verdict
  readonly warnings: readonly string[]
}

/**
 * @param tell for a person who waits.
 * @throws UserError for what is wrong with the request, the bundle or the baseline.
 */
export async function check(request: CheckRequest, machine: Machine, tell: (text: string) => void): Promise<Checked> {
  const until = machine.clock.now() + request.deadlineMs
  const asked = request.profile === undefined ? undefined : profileOf(request.profile)
  const baseline = request.baseline === undefined ? undefined : await readBaseline(request.baseline, machine)
  const {snapshot, warnings} = await takeSnapshot(request, machine)
  const profile = asked ?? profileNearest(snapshot.kubeletVersion)
  const first = detect(snapshot, profile, detectors)
  // A bundle does not change, and nor does a replay of one.
  const detection =
    request.once || request.from !== undefined || snapshot.replayOf !== undefined
      ? first
      : await lookAgain(first, snapshot, profile, {
          clock: machine.clock,
          signal: machine.signal,
          until,
          detectors,
          tell,
          read: async (sources, deadlineMs) =>
            (await takeSnapshot({...request, deadlineMs}, machine, {only: sources, before: snapshot})).snapshot,
        })
  const whole = checkReport(detection, snapshot, request.tool)
  const report = baseline === undefined ? whole : comparedTo(whole, baseline)
  const strange = baseline === undefined ? [] : strangerWarnings(whole, baseline)
  return {report, verdict: verdictOf(report, snapshot, request.failOn), warnings: [...warnings, ...strange]}
}
