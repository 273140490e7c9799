// What `why` answers with: chains from what somebody sees to what is behind it. The shapes are those of fixtures/schema/why.json.
import type {Evidence, Finding, Remedy, Severity, Subject} from '../finding.ts'

export interface Link {
  /** One sentence. */
  readonly what: string
  /** RFC 3339: it has been so at least since then. */
  readonly since?: string
  readonly evidence: readonly Evidence[]
  /** The finding of `check` that says so. */
  readonly finding?: {readonly code: string; readonly name: string; readonly severity: Severity}
}

export interface Chain {
  /** The symptom first, the root last; each follows from the next one. */
  readonly links: readonly Link[]
  /** What the kubelet does next about it, and when. */
  readonly next: readonly string[]
  /** What a person would run, the root's first. */
  readonly remedy: readonly Remedy[]
}

/**
 * 'well': there is nothing to explain. 'waits': something is on its way and may still end well. 'elsewhere': this node has done its part.
 * 'stuck': somebody has to act here. 'unknown': too little was seen.
 */
export type Standing = 'well' | 'waits' | 'elsewhere' | 'stuck' | 'unknown'

export interface Answer {
  readonly subject: Subject
  readonly standing: Standing
  /** In a sentence: what it is and how it stands. */
  readonly summary: string
  /** The gravest first. */
  readonly chains: readonly Chain[]
}

/** Something that is in the way and is no finding: it may be on its way, or be somebody else's to do. */
export interface Reason {
  /** Each follows from the next one. */
  readonly links: readonly Link[]
  readonly next: readonly string[]
  readonly remedy: readonly Remedy[]
  /** Findings about these belong behind it: a volume, a container, or any volume of a pod. */
  readonly about: {readonly driver?: string; readonly handle?: string; readonly container?: string; readonly volumesOf?: string}
  /** The node has no part in it. */
  readonly elsewhere?: boolean
  /** It should have ended by itself long ago. */
  readonly overdue?: boolean
}

export function linkOf({code, name, severity, message, since, evidence}: Finding): Link {
  return {what: message, ...(since !== undefined && {since}), evidence, finding: {code, name, severity}}
}
