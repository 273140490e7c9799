// Reports made by hand, for what renders them and judges them.
import {detectors} from '../../src/findings/detectors.ts'
import type {Finding, Severity} from '../../src/findings/finding.ts'
import {type CheckReport, checkReport} from '../../src/findings/report.ts'
import {type Verdict, verdictOf} from '../../src/findings/verdict.ts'
import {failed} from '../../src/node/reading.ts'
import type {SourceName} from '../../src/node/snapshot.ts'
import {snapshotOf} from './snapshot-builder.ts'

export const volume = {kind: 'Volume', namespace: 'default', name: 'pv1', path: '/var/lib/kubelet/pods/u1/volumes/pv1'} as const

export function findingOf(severity: Severity, more: Partial<Finding> = {}): Finding {
  return {
    code: 'V06',
    name: 'volume-dir-not-mounted',
    severity,
    subject: volume,
    message: 'Nothing is mounted at pv1.',
    evidence: [{source: 'kernel.mounts', fact: 'no mount there'}],
    cause: null,
    remedy: [{command: 'findmnt', why: 'look', loses: null}],
    links: ['https://example.test/1'],
    ...more,
  }
}

export interface SampleParts {
  readonly findings?: readonly Finding[]
  readonly looked?: readonly string[]
  /** Sources that are not there, with why. */
  readonly unseen?: Readonly<Record<string, string>>
  /** Sources that should be there and failed, with why. */
  readonly failed?: Partial<Record<SourceName, string>>
  readonly failOn?: Severity
  readonly node?: string
  readonly baseline?: CheckReport['metadata']['baseline']
}

export function sampleOf({failOn = 'warning', ...parts}: SampleParts): readonly [CheckReport, Verdict] {
  const broken = parts.failed ?? {}
  const unseen = Object.entries({...parts.unseen, ...broken}).map(([source, why]) => ({source, why}))
  const looked = parts.looked ?? detectors.map(({code}) => code)
  const empty = snapshotOf({})
  const failures = Object.entries(broken).map(([source, why]) => [source, failed(why)])
  const snapshot = {...empty, node: parts.node ?? 'n1', readings: {...empty.readings, ...Object.fromEntries(failures)}}
  const plain = checkReport({looked, unseen, findings: parts.findings ?? []}, snapshot, 'kubelimbo 0.1.0')
  const report = parts.baseline === undefined ? plain : {...plain, metadata: {...plain.metadata, baseline: parts.baseline}}
  return [report, verdictOf(report, snapshot, failOn)]
}

/** What whoever may create a pod can put into a name or a message, against every format. */
export const hostile =
  'a|b\nc\rd\te "q" \'s\' <x> & ]]> <![CDATA[ \\ \u0000\u0007\u001b[2J\u0085\u2028\u202e\ud800 \udfff \ufffe\uffff {x="1"} 👩‍👩‍👧‍👦 é'
