// What a report says is wrong. The shapes are those of fixtures/schema/check-report.json.
import {findingKey} from './finding-key.ts'

export const severities = ['critical', 'error', 'warning', 'info'] as const
export type Severity = (typeof severities)[number]

/** What a finding is about. Only the fields that apply. */
export interface Subject {
  readonly kind: 'Volume' | 'Pod' | 'Container' | 'Driver' | 'Runtime' | 'Kubelet' | 'Path'
  readonly namespace?: string
  readonly name?: string
  readonly uid?: string
  /** Of a sandbox or a container at the runtime. */
  readonly id?: string
  /** Absolute. */
  readonly path?: string
  readonly driver?: string
  readonly handle?: string
  /** The pod that needs it, where the subject is not the pod itself. */
  readonly pod?: string
  readonly podUid?: string
}

export interface Evidence {
  /** A source's name: 'disk.entries', 'kubelet.log' … */
  readonly source: string
  readonly fact: string
}

/** What a person would do next; we never do it. */
export interface Remedy {
  readonly command: string
  readonly why: string
  /** What is lost by it, or null. */
  readonly loses: string | null
}

export interface Finding {
  readonly code: string
  readonly name: string
  readonly severity: Severity
  readonly subject: Subject
  readonly message: string
  /** RFC 3339: it has been so at least since then. Absent when nothing tells. */
  readonly since?: string
  /** What the kubelet does next about it, and when. */
  readonly next?: string
  readonly evidence: readonly Evidence[]
  /** The finding that this one follows from. */
  readonly cause: {readonly code: string; readonly subject: Subject} | null
  readonly remedy: readonly Remedy[]
  /** Upstream issues and documents. */
  readonly links: readonly string[]
  /** It was in the baseline, at least as severe: it is not news and does not fail the check. */
  readonly known?: true
}

/** Not milder than the other. */
export function atLeast(severity: Severity, other: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(other)
}

/** Most severe first, then by code and subject: runtimes list in another order each time, and the same node gives the same report. */
export function inReportOrder(findings: readonly Finding[]): readonly Finding[] {
  const keyed = findings.map((finding) => ({finding, rank: severities.indexOf(finding.severity), key: findingKey(finding)}))
  return keyed.toSorted((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({finding}) => finding)
}
