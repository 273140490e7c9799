// The findings of two looks: new, cleared, still there. What one of them did not look for, or could not see, is neither.
import type {Snapshot, SourceName} from '../node/snapshot.ts'
import type {Detection} from './detect.ts'
import type {Finding, Severity, Subject} from './finding.ts'
import {findingKey} from './finding-key.ts'
import {usable} from './usable.ts'

export interface FindingChange {
  readonly change: 'new' | 'cleared' | 'still'
  readonly code: string
  readonly name: string
  readonly severity: Severity
  /** How severe it was in A, where that is another. */
  readonly was?: Severity
  readonly subject: Subject
  readonly message: string
}

export interface Judged {
  readonly snapshot: Snapshot
  readonly detection: Detection
}

export interface FindingComparison {
  readonly findings: readonly FindingChange[]
  /** Found on one side, and nobody can say whether it is so on the other, which `side` names. */
  readonly notCompared: readonly {readonly source: string; readonly side: 'a' | 'b'; readonly why: string}[]
}

export function diffFindings(a: Judged, b: Judged): FindingComparison {
  const before = byKey(a.detection.findings)
  const after = byKey(b.detection.findings)
  const findings: FindingChange[] = []
  const blind = new Map<string, FindingComparison['notCompared'][number]>()
  const tell = (change: 'new' | 'cleared', finding: Finding, side: 'a' | 'b', other: Judged) => {
    const why = whyUnknown(finding, other)
    if (why === undefined) findings.push(changeOf(change, finding))
    else blind.set(JSON.stringify([finding.code, side, why]), {source: finding.code, side, why})
  }
  for (const [key, finding] of before) {
    const now = after.get(key)
    if (now === undefined) tell('cleared', finding, 'b', b)
    else findings.push({...changeOf('still', now), ...(now.severity !== finding.severity && {was: finding.severity})})
  }
  for (const [key, finding] of after) if (!before.has(key)) tell('new', finding, 'a', a)
  return {findings: inOrder(findings), notCompared: [...blind.values()]}
}

/** A finding whose evidence cannot be seen there is not known to be gone. */
function whyUnknown({code, evidence}: Finding, {snapshot, detection}: Judged): string | undefined {
  if (!detection.looked.includes(code)) return 'it was not looked for'
  const unseen = evidence.map(({source}) => source).find((source) => isSource(snapshot, source) && !usable(snapshot, source))
  return unseen === undefined ? undefined : `what shows it is in ${unseen}, which was not seen whole`
}

const isSource = ({readings}: Snapshot, name: string): name is SourceName => Object.hasOwn(readings, name)

function changeOf(change: FindingChange['change'], {code, name, severity, subject, message}: Finding): FindingChange {
  return {change, code, name, severity, subject, message}
}

function byKey(findings: readonly Finding[]): Map<string, Finding> {
  return new Map(findings.map((finding) => [findingKey(finding), finding]))
}

function inOrder(findings: readonly FindingChange[]): FindingChange[] {
  const keyed = findings.map((finding) => ({finding, key: findingKey(finding)}))
  return keyed.sort((one, other) => (one.key < other.key ? -1 : Number(one.key > other.key))).map(({finding}) => finding)
}
