// The report of a diff. Its shape is published: fixtures/schema/diff.json.
import type {NotCompared} from '../node/diff/compare-nodes.ts'
import type {Difference} from '../node/diff/thing.ts'
import type {FindingChange} from './diff-findings.ts'

export interface DiffSide {
  /** The bundle; absent: this node. */
  readonly bundle?: string
  readonly node: string
  readonly when: string
}

export interface DiffReport {
  readonly apiVersion: 'kubelimbo/v1'
  readonly kind: 'Diff'
  readonly metadata: {readonly tool: string; readonly a: DiffSide; readonly b: DiffSide}
  /** Of something nobody can say whether it differs. */
  readonly partial: boolean
  readonly differences: readonly Difference[]
  readonly findings: readonly FindingChange[]
  readonly notCompared: readonly NotCompared[]
}

export function differs({differences, findings}: Pick<DiffReport, 'differences' | 'findings'>): boolean {
  return differences.length > 0 || findings.some(({change, was}) => change !== 'still' || was !== undefined)
}
