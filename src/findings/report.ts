// The report of a check. Its shape is published: fixtures/schema/check-report.json.
import {type ExitCode, exitCodes} from '../base/exit-codes.ts'
import {formatInstant} from '../base/instant.ts'
import {type Snapshot, sourceNames} from '../node/snapshot.ts'
import type {Detection} from './detect.ts'
import type {Unseen} from './detector.ts'
import {type Finding, type Severity, severities} from './finding.ts'

export interface CheckReport {
  readonly apiVersion: 'kubelimbo/v1'
  readonly kind: 'CheckReport'
  readonly metadata: {readonly node: string; readonly when: string; readonly tool: string}
  /** Something was not seen: what is not found may still be there. */
  readonly partial: boolean
  readonly looked: readonly string[]
  readonly unseen: readonly Unseen[]
  readonly findings: readonly Finding[]
}

export function checkReport(detection: Detection, snapshot: Snapshot, tool: string): CheckReport {
  return {
    apiVersion: 'kubelimbo/v1',
    kind: 'CheckReport',
    metadata: {node: snapshot.node, when: formatInstant(snapshot.when), tool},
    partial: detection.unseen.length > 0,
    looked: detection.looked,
    unseen: detection.unseen,
    findings: detection.findings,
  }
}

/** Findings win over blindness: what was seen is true whatever else was not. */
export function exitCodeOf(report: CheckReport, snapshot: Snapshot, failOn: Severity): ExitCode {
  const threshold = severities.indexOf(failOn)
  if (report.findings.some((finding) => severities.indexOf(finding.severity) <= threshold)) return exitCodes.findings
  const broken = sourceNames.some((name) => snapshot.readings[name].state === 'failed')
  return broken || report.looked.length === 0 ? exitCodes.blind : exitCodes.clean
}
