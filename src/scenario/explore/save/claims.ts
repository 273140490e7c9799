// What a saved scenario says of a violation.

export type Plain = Readonly<Record<string, unknown>>

export interface Claims {
  /** Each is a list that must hold as a whole. */
  readonly there: readonly (readonly Plain[])[]
  readonly absent: readonly (readonly Plain[])[]
}
