// Judges a node: what is in limbo, why, and what was not seen.
import type {ExitCode} from './base/exit-codes.ts'
import {detect} from './findings/detect.ts'
import {detectors} from './findings/detectors.ts'
import type {Severity} from './findings/finding.ts'
import {type CheckReport, checkReport, exitCodeOf} from './findings/report.ts'
import {profileNearest, profileOf} from './kubelet/profiles.ts'
import type {Machine} from './node/runtime-source.ts'
import type {SnapshotRequest} from './node/snapshot-request.ts'
import {takeSnapshot} from './node/take-snapshot.ts'

export interface CheckRequest extends SnapshotRequest {
  /** A modelled version; default: the one nearest to the kubelet's. */
  readonly profile?: string
  /** The mildest severity that is a failure. */
  readonly failOn: Severity
  /** 'kubelimbo 0.1.0'. */
  readonly tool: string
}

export interface Checked {
  readonly report: CheckReport
  readonly exit: ExitCode
  readonly warnings: readonly string[]
}

/** @throws UserError for what is wrong with the request or the bundle. */
export async function check(request: CheckRequest, machine: Machine): Promise<Checked> {
  const asked = request.profile === undefined ? undefined : profileOf(request.profile)
  const {snapshot, warnings} = await takeSnapshot(request, machine)
  const profile = asked ?? profileNearest(snapshot.kubeletVersion)
  const report = checkReport(detect(snapshot, profile, detectors), snapshot, request.tool)
  return {report, exit: exitCodeOf(report, snapshot, request.failOn), warnings}
}
