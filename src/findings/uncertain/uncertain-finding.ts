// What U01 and U02 say of a volume: they differ in the call.
import {formatInstant} from '../../base/instant.ts'
import type {DetectContext} from '../detector.ts'
import type {Finding} from '../finding.ts'
import {account, debt, remediesFor} from './uncertain-message.ts'
import type {UncertainVolume} from './uncertain-volume.ts'

export interface UncertainKind extends Pick<Finding, 'code' | 'name' | 'links'> {
  readonly done: 'staged' | 'published'
  readonly method: 'NodeStageVolume' | 'NodePublishVolume'
  /** The calls that undo it. @param of ' of PATH', or nothing when the path is unknown. */
  readonly owed: (of: string) => string
}

export function uncertainFinding(kind: UncertainKind, volume: UncertainVolume, {profile, snapshot}: DetectContext): Finding {
  const {code, name, links, done, method} = kind
  const {label, forWhom, standing, path} = volume
  const owed = kind.owed(path === undefined ? '' : ` of ${path}`)
  return {
    code,
    name,
    severity: standing.severity,
    subject: volume.subject,
    message: `The driver may have ${done} ${label} unheard, ${forWhom}: ${account(standing, method, snapshot.when)}.`,
    ...(standing.call !== undefined && {since: formatInstant(standing.call.startedAt)}),
    next: debt(standing, method, owed, profile.version),
    evidence: volume.evidence,
    cause: null,
    remedy: remediesFor(volume, snapshot.node),
    links,
  }
}
