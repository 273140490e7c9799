// What is compared of a node: things with a key that lasts, and facts about each.

export const groups = [
  'sources',
  'node',
  'kubelet',
  'runtime',
  'drivers',
  'registrations',
  'pods',
  'sandboxes',
  'containers',
  'volumes',
  'attachments',
  'mounts',
  'devices',
  'takeovers',
] as const
export type Group = (typeof groups)[number]

/** null: it is not there. */
export type Fact = string | number | boolean | null

/** A fact that is undefined is not known and says nothing; one without a key is null. */
export type Facts = Readonly<Record<string, Fact | undefined>>

export interface Thing {
  /** The same for the same thing in both, for no other in either. */
  readonly key: string
  /** For people. */
  readonly name: string
  readonly facts: Facts
}

export interface FieldChange {
  readonly field: string
  readonly from: Fact
  readonly to: Fact
}

interface DifferenceOf {
  readonly group: Group
  readonly key: string
  readonly name: string
  /** The sources that say so; none where the bundle's or the node's own words do. */
  readonly sources: readonly string[]
}

export type Difference = DifferenceOf &
  (
    | {readonly change: 'appeared' | 'gone'; readonly facts: Readonly<Record<string, Fact>>}
    /** `recreated`: of the same name, and another one. */
    | {readonly change: 'changed' | 'recreated'; readonly fields: readonly FieldChange[]}
  )
