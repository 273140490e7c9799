// A detector is one file behind this interface. It is pure: the same evidence gives the same findings.

import type {Profile} from '../kubelet/profiles.ts'
import type {Belief} from '../kubelet/traces/reconstruct.ts'
import type {Trace} from '../kubelet/traces/trace.ts'
import type {Snapshot, SourceName} from '../node/snapshot.ts'
import type {Finding, Severity} from './finding.ts'

export interface Detector {
  readonly code: string
  readonly name: string
  /** The severities it gives, mildest last, each with when. */
  readonly severities: readonly {readonly severity: Severity; readonly when: string}[]
  /** Milliseconds for which the same picture may be work in progress. */
  readonly graceMs: number
  /** Two views that were not read at the same moment: a finding of unknown age is looked at again. */
  readonly sampleTwice?: boolean
  /** Without one source of each group it cannot look, and says so. Older kubelets leave less on disk. */
  needs(profile: Profile): readonly (readonly SourceName[])[]
  /** What was read and still cannot be concluded from, so that nothing found would mean nothing. It then does not look. */
  cannotLook?(context: DetectContext): Unseen | undefined
  /** What it could not conclude from although it looks at the rest: it is said beside what it finds. */
  besides?(context: DetectContext): Unseen | undefined
  /** It looks when all others have, and names what they found as its cause. */
  readonly last?: true
  /** Sources that make the answer firmer. */
  readonly helpedBy: readonly SourceName[]
  readonly explain: Explanation
  /** @param others what was found before, for one that looks last. */
  detect(context: DetectContext, others?: readonly Finding[]): Finding[]
}

export interface Unseen {
  readonly source: string
  readonly why: string
}

/** One and the same object for all detectors of a check. */
export interface DetectContext {
  readonly snapshot: Snapshot
  /** Undefined when the kubelet's directories were not read. */
  readonly belief: Belief | undefined
  /** Silent when the kubelet's log was not read. */
  readonly trace: Trace
  readonly profile: Profile
}

/** What `explain CODE` prints. */
export interface Explanation {
  /** What it means, in a sentence or two. */
  readonly what: string
  /** How it comes about. */
  readonly how: string
  /** What looks the same and is healthy. */
  readonly lookAlikes: readonly string[]
  readonly links: readonly string[]
}
