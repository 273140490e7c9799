// The report of a check. Its shape is published: fixtures/schema/check-report.json.
import {formatInstant} from '../base/instant.ts'
import type {Snapshot} from '../node/snapshot.ts'
import type {Detection} from './detect.ts'
import type {Unseen} from './detector.ts'
import type {Finding} from './finding.ts'
import {findingWithoutSecrets} from './without-secrets.ts'

export interface CheckReport {
  readonly apiVersion: 'kubelimbo/v1'
  readonly kind: 'CheckReport'
  readonly metadata: {
    readonly node: string
    readonly when: string
    readonly tool: string
    /** The earlier report that this one was compared to. */
    readonly baseline?: {readonly node: string; readonly when: string}
  }
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
    findings: detection.findings.map(findingWithoutSecrets),
  }
}
