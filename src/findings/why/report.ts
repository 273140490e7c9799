// The report of `why`. Its shape is published: fixtures/schema/why.json.
import type {Unseen} from '../detector.ts'
import type {Answer} from './chain.ts'

export interface WhyReport {
  readonly apiVersion: 'kubelimbo/v1'
  readonly kind: 'Why'
  readonly metadata: {readonly node: string; readonly when: string; readonly tool: string}
  readonly answers: readonly Answer[]
  /** What was not seen: a cause may lie there. */
  readonly unseen: readonly Unseen[]
}
