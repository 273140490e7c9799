// What a report comes to: the findings that count, what is missing for calling the node healthy, and the exit code of both.
import {type ExitCode, exitCodes} from '../base/exit-codes.ts'
import {type Snapshot, sourceNames} from '../node/snapshot.ts'
import type {Unseen} from './detector.ts'
import {atLeast, type Finding, type Severity} from './finding.ts'
import type {CheckReport} from './report.ts'

export interface Verdict {
  /** The mildest severity that is a failure. */
  readonly failOn: Severity
  /** Not milder than that, and not known from a baseline; most severe first. */
  readonly failing: readonly Finding[]
  /** Why nothing found is no health: what should have been there and was not to be seen. */
  readonly blind: readonly Unseen[]
  readonly exit: ExitCode
}

export function verdictOf(report: CheckReport, snapshot: Snapshot, failOn: Severity): Verdict {
  const failing = report.findings.filter(({known, severity}) => known === undefined && atLeast(severity, failOn))
  const blind = blindnessOf(report, snapshot)
  return {failOn, failing, blind, exit: exitOf(failing, blind)}
}

function blindnessOf({looked, unseen}: CheckReport, {readings}: Snapshot): readonly Unseen[] {
  const broken = sourceNames.flatMap((source) => {
    const reading = readings[source]
    return reading.state === 'failed' ? [{source, why: reading.why}] : []
  })
  return broken.length === 0 && looked.length === 0 ? unseen : broken
}

/** Findings win over blindness: what was seen is true whatever else was not. */
function exitOf(failing: readonly Finding[], blind: readonly Unseen[]): ExitCode {
  if (failing.length > 0) return exitCodes.findings
  return blind.length > 0 ? exitCodes.blind : exitCodes.clean
}
