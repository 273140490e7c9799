// Entries of a list in the answer are missing, there twice or made up; or the whole answer is an old one.
import type {Edit, Scalar} from './edit.ts'
import type {Fault} from './fault.ts'

export interface ListChanges {
  /** Those whose fields have these values; of none: all. */
  readonly drop?: Readonly<Record<string, Scalar>>
  readonly duplicate?: Readonly<Record<string, Scalar>>
  /** One more: the first one's copy with these values. */
  readonly phantom?: Readonly<Record<string, unknown>>
}

/** @param list 'containers' */
export const listEdit = (list: string, {drop, duplicate, phantom}: ListChanges): Fault => {
  const edits: readonly Edit[] = [
    ...(drop === undefined ? [] : [{kind: 'drop' as const, list, ...condition(drop)}]),
    ...(duplicate === undefined ? [] : [{kind: 'duplicate' as const, list, ...condition(duplicate)}]),
    ...(phantom === undefined ? [] : [{kind: 'phantom' as const, list, entry: phantom}]),
  ]
  return {kind: 'list-edit', plan: {before: 0, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'edit', edits}}}
}

export const staleList = (): Fault => ({
  kind: 'list-edit',
  plan: {before: 0, forward: 1, upstreamDeadline: 'keep', reply: {kind: 'stale'}},
})

const condition = (where: Readonly<Record<string, Scalar>>) => (Object.keys(where).length === 0 ? {} : {where})
